"""Sleeps for half of move_ms before every answer, so its bank stays whole. Expected: no fault."""

import json
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        time.sleep(message["clock"]["move_ms"] / 2000)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
