"""Run the command line: python -m gametheory."""

import sys

from .cli.main import main

sys.exit(main())
