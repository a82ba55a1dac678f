"""Answers with the label of a match that nobody plays. Expected: bad_reply."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0], "match": "no such match"}), flush=True)
