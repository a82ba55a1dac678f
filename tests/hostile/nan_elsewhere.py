"""Answers with NaN in a field that nobody reads: no grammar of JSON has it. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        action = json.dumps(message["legal"][0])
        print(f'{{"action": {action}, "value": NaN}}', flush=True)
