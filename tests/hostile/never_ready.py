"""Reads hello and never says ready. Expected: startup."""

import sys

for _ in sys.stdin:
    pass
