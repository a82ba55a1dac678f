// Plays any game by chance, all legal actions equally likely; equal seeds give equal play.
"use strict";

const readline = require("node:readline");

// Mulberry32: 32 bits of state, numbers from 0 up to, not including, 1.
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Any legal action, each with the same probability.
function choose(legal, random) {
  return legal[Math.floor(random() * legal.length)];
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

let random = Math.random;

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "ready" });
      break;
    case "start":
      random = randomFrom(message.seed);
      break;
    case "decide":
      say({ action: choose(message.legal, random) });
      break;
    case "bye":
      process.exit();
  }
});
