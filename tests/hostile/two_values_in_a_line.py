"""Answers with two JSON values in one line. Expected: bad_json."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        answer = json.dumps({"action": message["legal"][0]})
        print(answer, answer, flush=True)
