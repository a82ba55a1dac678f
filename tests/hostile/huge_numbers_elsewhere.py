"""Answers well; fields nobody reads hold 1e999 and 5,000 digits. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action, digits = json.dumps(message["legal"][0]), "9" * 5000
        print(f'{{"action": {action}, "value": 1e999, "nodes": {digits}}}', flush=True)
