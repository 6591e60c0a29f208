// A bot for `tourney`: it reads and writes the lines of the protocol (`tourney guide protocol`).
// It lays down as soon as it can, adds what fits, and discards what counts most and goes with nothing else.
"use strict";
const readline = require("readline");

const RANKS = "A23456789TJQK";
const POINTS = [20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
// The kinds of action that are taken as soon as they are offered, the best first.
const WANTED = ["close", "continental", "color", "rummy", "knock", "down", "off"];

const say = (line) => process.stdout.write(line + "\n");

// How gladly a card is discarded: its points, less what it may become with the other cards.
function worth(card, others) {
  if (card === "Jk") return -1000;
  const rank = RANKS.indexOf(card[0]);
  let company = 0;
  for (const other of others) {
    if (other === card || other === "Jk") continue;
    if (other[0] === card[0]) company += 8;
    else if (other[1] === card[1] && Math.abs(RANKS.indexOf(other[0]) - rank) <= 2) company += 4;
  }
  return POINTS[rank] - company;
}

// The number, from 1, of the action to take.
function choose(actions) {
  for (const kind of WANTED) {
    const found = actions.findIndex((action) => action.split(" ")[0] === kind);
    if (found >= 0) return found + 1;
  }
  const cards = actions.filter((action) => action.startsWith("discard ")).map((action) => action.slice(8));
  if (cards.length) {
    let best = cards[0];
    for (const card of cards) if (worth(card, cards) > worth(best, cards)) best = card;
    return actions.indexOf("discard " + best) + 1;
  }
  return actions.includes("decline") ? actions.indexOf("decline") + 1 : 1; // 1: draw from the stock
}

let waiting = 0; // the actions of an ask that are still to come
let listed = [];

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.split(" ");
  if (waiting) {
    listed.push(line.slice(line.indexOf(" ") + 1));
    waiting -= 1;
    if (!waiting) say(String(choose(listed)));
  } else if (words[0] === "tourney") {
    say("hello 1 NAME 0.1");
    say("claims none"); // I never claim a discard: do not ask me
    say("takes none"); // nor take one in my turn
    say("ready");
  } else if (words[0] === "ask") {
    waiting = Number(words[2]);
    listed = [];
  } else if (words[0] === "bye") {
    process.exit(0);
  }
});
