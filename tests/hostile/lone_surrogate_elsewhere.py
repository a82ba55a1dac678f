"""Answers well; a field that nobody reads holds half of a surrogate pair. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action = json.dumps(message["legal"][0])
        print(f'{{"action": {action}, "mood": "\\ud83d"}}', flush=True)
