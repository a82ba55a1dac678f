"""Writes lines for ever behind its first answer. Expected: unasked."""

import json
import os
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        answer = json.dumps({"action": message["legal"][0]}).encode() + b"\n"
        while True:
            os.write(1, answer * 3000)
