"""Answers well with CR LF and blank lines of CR LF. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}\r\n\r', flush=True)
    elif message["type"] == "decide":
        print("\r\n" + json.dumps({"action": message["legal"][0]}) + "\r\n\r", flush=True)
