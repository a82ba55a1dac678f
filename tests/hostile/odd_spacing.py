"""Answers well amid blank lines of spaces, tabs and CR, and indented. Expected: no fault."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('\n \t\r\n{"type" : "ready"}  \n\n', flush=True)
    elif message["type"] == "decide":
        answer = json.dumps({"action": message["legal"][0]}, indent=4).replace("\n", "\t")
        print(" \t \n\r\r\n\n \t" + answer + " \t\r\n  \n\t\n\r", flush=True)
