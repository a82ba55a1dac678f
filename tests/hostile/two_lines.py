"""Writes a second line behind every answer in the same write. Expected: unasked."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        answer = json.dumps({"action": message["legal"][0]})
        print(answer + "\n" + answer, flush=True)
