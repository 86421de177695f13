// The peer that an engineer would write first: a recursion over deals of Take That with a std::unordered_map over whole states.
// No bounds, no move ordering. It shares nothing with the package.
//
//   plain_take_that_deals SECONDS < DEALS     one deal a line, as the package writes them
//
// prints for each deal its value, "-" if the seconds ran out, and the nanoseconds spent on it, the memo starting empty. Published
// rules: taking is always allowed, and an empty line opens.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>

using Clock = std::chrono::steady_clock;
using Cards = std::string;  // one byte a card: hands ascending, the line from left to right, the pile as it is drawn

static Cards read_cards(const std::string &text, char separator) {
    Cards cards;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, separator);)
        if (!part.empty()) cards.push_back(static_cast<char>(std::stoi(part)));
    return cards;
}

static int twisted(int card) { return card % 10 * 10 + card / 10; }
static bool is_toad(int card) { return card % 11 == 0; }

static Cards pile;
static std::unordered_map<std::string, int> memo;
static Clock::time_point deadline;
static bool over;

static int value(const Cards &mover, const Cards &other, const Cards &line, size_t drawn);

// What follows for the mover when it has made its move: it draws, and the other is next.
static int after(Cards hand, const Cards &other, const Cards &line, size_t drawn) {
    if (drawn == pile.size()) return line.empty() ? 0 : -value(other, hand, line, drawn);  // T7
    hand.insert(std::upper_bound(hand.begin(), hand.end(), pile[drawn]), pile[drawn]);
    return -value(other, hand, line, drawn + 1);
}

static int value(const Cards &mover, const Cards &other, const Cards &line, size_t drawn) {
    if (line.empty() && mover.empty()) return 0;
    std::string key = mover + '\1' + other + '\1' + line + '\1' + static_cast<char>(drawn + 2);
    auto known = memo.find(key);
    if (known != memo.end()) return known->second;
    if (over || (over = Clock::now() > deadline)) return 0;
    int best = -1000, cost = 0;
    for (char card : line) cost += is_toad(card) ? 5 : 1;
    if (!line.empty() && drawn == pile.size()) best = -cost;
    for (size_t i = 0; i < mover.size() && !over; i++) {
        char card = mover[i];
        Cards hand = mover;
        hand.erase(i, 1);
        if (line.empty() || std::abs(card - line.back()) <= 10) best = std::max(best, after(hand, other, line + card, drawn));
        size_t place = is_toad(card) ? Cards::npos : line.find(static_cast<char>(twisted(card)));
        if (place != Cards::npos) {
            Cards rest = line;
            rest.erase(place, 1);
            best = std::max(best, 2 + after(hand, other, rest, drawn));
        }
        if (!line.empty() && drawn < pile.size()) best = std::max(best, -cost + after(hand, other, Cards(1, card), drawn));  // T6
    }
    if (!over) memo.emplace(std::move(key), best);
    return best;
}

int main(int, char **arguments) {
    auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::stod(arguments[1])));
    for (std::string row, mover, other, line, drawn; std::getline(std::cin, row); drawn.clear()) {
        std::istringstream(row) >> mover >> other >> line >> drawn;
        pile = read_cards(drawn, ',');
        memo.clear();
        auto start = Clock::now();
        over = false;
        deadline = start + limit;
        int found = value(read_cards(mover, ','), read_cards(other, ','), read_cards(line, '-'), 0);
        auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        std::cout << (over ? "-" : std::to_string(found)) << ' ' << spent << '\n';
    }
}
