"""Answers with the key move instead of action. Expected: bad_reply."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"move": message["legal"][0]}), flush=True)
