"""A thread writes to stderr all the time, also between turns; answers well. Expected: no fault."""

import json
import os
import sys
import threading
import time


def chatter() -> None:
    while True:
        os.write(2, b"thinking ... " * 1000)
        time.sleep(0.001)


threading.Thread(target=chatter, daemon=True).start()

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
