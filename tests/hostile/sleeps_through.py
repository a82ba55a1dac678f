"""Reads everything and answers no decide. Expected: timeout."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        pass
