"""Writes a space or a LF each 100 ms: blank lines stop no clock. Expected: timeout."""

import itertools
import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        for blank in itertools.cycle(" \n"):
            print(blank, end="", flush=True)
            time.sleep(0.1)
