"""Writes a ready without LF and exits: what has no LF is no line. Expected: startup."""

import sys

sys.stdin.readline()
sys.stdout.write('{"type": "ready"}')
