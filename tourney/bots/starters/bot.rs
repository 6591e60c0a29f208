// A bot for `tourney`: it reads and writes the lines of the protocol (`tourney guide protocol`).
// It lays down as soon as it can, adds what fits, and discards what counts most and goes with nothing else.
use std::io::{stdin, stdout, Write};

const RANKS: &str = "A23456789TJQK";
const POINTS: [i32; 13] = [20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
// The kinds of action that are taken as soon as they are offered, the best first.
const WANTED: [&str; 7] = ["close", "continental", "color", "rummy", "knock", "down", "off"];

fn hear() -> String {
    let mut line = String::new();
    if stdin().read_line(&mut line).unwrap_or(0) == 0 {
        std::process::exit(0);
    }
    line.trim_end().to_string()
}

fn say(text: &str) {
    println!("{text}");
    stdout().flush().unwrap(); // without it nothing is sent
}

fn rank(card: &str) -> i32 {
    RANKS.find(&card[..1]).unwrap_or(0) as i32
}

// How gladly a card is discarded: its points, less what it may become with the other cards.
fn worth(card: &str, others: &[&str]) -> i32 {
    if card == "Jk" {
        return -1000;
    }
    let mut company = 0;
    for other in others {
        if *other == card || *other == "Jk" {
        } else if other[..1] == card[..1] {
            company += 8;
        } else if other[1..] == card[1..] && (rank(other) - rank(card)).abs() <= 2 {
            company += 4;
        }
    }
    POINTS[rank(card) as usize] - company
}

// The number, from 1, of the action to take.
fn choose(actions: &[String]) -> usize {
    for kind in WANTED {
        if let Some(at) = actions.iter().position(|a| a.split(' ').next() == Some(kind)) {
            return at + 1;
        }
    }
    let cards: Vec<&str> = actions.iter().filter_map(|a| a.strip_prefix("discard ")).collect();
    if let Some(&first) = cards.first() {
        let mut best = first;
        for card in &cards {
            if worth(card, &cards) > worth(best, &cards) {
                best = card;
            }
        }
        return actions.iter().position(|a| *a == format!("discard {best}")).unwrap() + 1;
    }
    actions.iter().position(|a| a == "decline").unwrap_or(0) + 1 // 1: draw from the stock
}

fn main() {
    loop {
        let line = hear();
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            // I never claim a discard, nor take one in my turn: do not ask me.
            "tourney" => say("hello 1 NAME 0.1\nclaims none\ntakes none\nready"),
            "ask" => {
                let count: usize = words[2].parse().unwrap();
                let listed: Vec<String> = (0..count).map(|_| hear().split_once(' ').unwrap().1.into()).collect();
                say(&choose(&listed).to_string());
            }
            "bye" => return,
            _ => {}
        }
    }
}
