# Sourced by the other scripts: makes a virtual environment with the package in it, again only when what is asked of it changes.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# setup EXTRAS STAMP [VENV [CONSTRAINTS]]: EXTRAS as "[plot]", STAMP says whether that was done before.
setup() {
    local extras=$1 venv=${3:-.venv} constraints=${4:-} stamp python
    stamp=$venv/installed-$2
    python=$(command -v python3 || command -v python) || { echo "Python 3.11 or newer is needed" >&2; exit 1; }
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        { echo "Python 3.11 or newer is needed, this is $("$python" --version)" >&2; exit 1; }
    if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
        [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
        echo "Installing into $venv (once) ..." >&2
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
            ${constraints:+--constraint "$constraints"} -e ".$extras" || exit 1
        touch "$stamp"
    fi
}
