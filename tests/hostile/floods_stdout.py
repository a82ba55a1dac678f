"""Prints lines for ever once it is ready. Expected: unasked."""

import os
import sys

sys.stdin.readline()
print('{"type": "ready"}', flush=True)
while True:
    os.write(1, b'{"action": "reveal"}\n' * 3000)
