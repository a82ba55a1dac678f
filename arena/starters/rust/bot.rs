// Plays any legal action by chance; choose() is where yours begins to think.
use std::io::{stdin, BufRead};

/// The entries of a JSON list, or of an object, which is read as key, value, key, value and so on. Each is
/// its own text as it stands. Names and actions need no escapes, so they are compared and copied as they are.
fn entries(list: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0, 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in list.char_indices() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        if depth == 1 && matches!(c, ',' | ':' | ']' | '}') {
            found.push(list[begin..at].trim());
            begin = at + 1;
        }
        match c {
            '"' => quoted = true,
            '[' | '{' => {
                begin = if depth == 0 { at + 1 } else { begin };
                depth += 1;
            }
            ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    found.retain(|entry| !entry.is_empty());
    found
}

fn field<'a>(object: &'a str, name: &str) -> &'a str {
    let found = entries(object);
    let quoted = format!("\"{name}\"");
    let pair = found.chunks_exact(2).find(|pair| pair[0] == quoted);
    pair.map_or("", |pair| pair[1])
}

/// What it may know: field(field(message, "observation"), "players"), a number for parse().
fn choose<'a>(message: &'a str, random: &mut u64) -> &'a str {
    let legal = entries(field(message, "legal"));
    *random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); // Knuth's MMIX
    legal[(*random >> 33) as usize % legal.len()]
}

fn main() {
    let mut random = 0;
    for line in stdin().lock().lines().map_while(Result::ok) {
        match field(&line, "type") {
            "\"hello\"" => println!("{{\"type\": \"ready\"}}"), // to a pipe, too, println! flushes each line
            "\"start\"" => random = field(&line, "seed").parse().unwrap_or(0),
            "\"decide\"" => println!("{{\"action\": {}}}", choose(&line, &mut random)),
            "\"bye\"" => return,
            _ => {}
        }
    }
}
