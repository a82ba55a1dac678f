"""Prints what it thinks on stdout before every answer. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print("I choose", message["legal"][0], flush=True)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
