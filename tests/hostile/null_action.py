"""Answers with an action that is null. Expected: illegal_action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": None}), flush=True)
