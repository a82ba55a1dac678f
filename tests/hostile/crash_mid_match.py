"""Raises an exception at its third decision, with a traceback on stderr. Expected: crash."""

import json
import sys

decisions = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        decisions += 1
        if decisions == 3:
            raise RuntimeError("no idea what to do")
        print(json.dumps({"action": message["legal"][0]}), flush=True)
