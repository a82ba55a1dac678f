"""Answers with an action that no game knows. Expected: illegal_action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": "fly"}), flush=True)
