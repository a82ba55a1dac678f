"""Reads hello and exits with status 0 instead of saying ready. Expected: startup."""

import sys

sys.stdin.readline()
