// Plays any legal action by chance; choose() is where yours begins to think.
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// JSON is read where it stands: a value is its own text, empty if there is none. Names and actions need no
// escapes, so they are compared and copied as they are, quotes included.
using Json = std::string_view;

static Json trimmed(Json text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    return begin == Json::npos ? Json() : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// The entries of a list, or of an object, which is read as key, value, key, value and so on.
static std::vector<Json> entries(Json list) {
    std::vector<Json> found;
    int depth = 0;
    for (std::size_t at = 0, begin = 0; at < list.size(); at++) {
        const char c = list[at];
        const bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
        if (depth == 1 && (closes || c == ',' || c == ':')) {
            const Json entry = trimmed(list.substr(begin, at - begin));
            if (!entry.empty()) found.push_back(entry);
            begin = at + 1;
        }
        if (opens && depth++ == 0) begin = at + 1;
        if (closes && --depth == 0) break;
        if (c == '"')
            while (++at < list.size() && list[at] != '"') at += list[at] == '\\';
    }
    return found;
}

static Json field(Json object, Json name) {
    const auto found = entries(object);
    const std::string quoted = '"' + std::string(name) + '"';
    for (std::size_t key = 0; key + 1 < found.size(); key += 2)
        if (found[key] == quoted) return found[key + 1];
    return {};
}

// What it may know: field(field(message, "observation"), "players"), a number for std::stoi.
static Json choose(Json message, std::mt19937 &random) {
    const auto legal = entries(field(message, "legal"));
    return legal.at(random() % legal.size());
}

int main() {
    std::mt19937 random;
    for (std::string line; std::getline(std::cin, line);) {  // grows with what is read
        const Json type = field(line, "type");
        if (type == "\"hello\"") std::cout << "{\"type\": \"ready\"}" << std::endl;  // endl flushes
        if (type == "\"start\"") random.seed(std::stoul(std::string(field(line, "seed"))));
        if (type == "\"decide\"") std::cout << "{\"action\": " << choose(line, random) << '}' << std::endl;
        if (type == "\"bye\"") break;
    }
}
