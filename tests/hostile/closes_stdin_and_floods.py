"""Closes stdin after its first answer and prints without an LF for ever. Expected: timeout or unasked."""

import json
import os
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        os.close(0)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
        time.sleep(0.2)
        while True:
            os.write(1, b"x" * 60_000)
