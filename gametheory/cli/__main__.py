"""Run the command line: `python -m gametheory.cli`."""

import sys

from .main import main

sys.exit(main())
