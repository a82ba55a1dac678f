"""Closes stdout when it is asked for the first time and lives on. Expected: timeout."""

import json
import os
import sys
import time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        os.close(1)
        time.sleep(600)
