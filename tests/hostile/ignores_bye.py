"""Plays well and ignores bye, the end of stdin, SIGTERM, SIGHUP and SIGINT. Expected: no fault."""

import json
import signal
import sys
import time

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)

time.sleep(600)
