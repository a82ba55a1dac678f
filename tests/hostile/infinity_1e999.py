"""Answers with a turn of 1e999, which is no number that can be held. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action = json.dumps(message["legal"][0])
        print(f'{{"action": {action}, "turn": 1e999}}', flush=True)
