"""Run the command line: python -m gametheory."""

import sys

from .cli import main

sys.exit(main())
