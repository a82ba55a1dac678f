"""Says ready with a name of 101 characters. Expected: startup."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "x" * 101}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
