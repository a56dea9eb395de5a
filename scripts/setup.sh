# Sourced by run and test: makes .venv with the package in it, again only when pyproject.toml or the extras change.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

setup() {
    local extras=$1 stamp=.venv/installed-$2 python
    python=$(command -v python3 || command -v python) || { echo "Python 3.11 or newer is needed" >&2; exit 1; }
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        { echo "Python 3.11 or newer is needed, this is $("$python" --version)" >&2; exit 1; }
    if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
        [ -x .venv/bin/python ] || "$python" -m venv .venv
        echo "Installing into .venv (once) ..." >&2
        .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".$extras" || exit 1
        touch "$stamp"
    fi
}
