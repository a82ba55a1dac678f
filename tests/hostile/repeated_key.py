"""Answers well with two actions in one object, of which the last counts. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action = json.dumps(message["legal"][0])
        print(f'{{"action": "fly", "action": {action}}}', flush=True)
