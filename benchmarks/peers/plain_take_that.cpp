// A plain memo search for Take That endgames: what a programmer writes in an afternoon, the rules as they stand and a hash
// map over whole positions. No bounds, no move ordering. It shares nothing with the package, so it is an oracle too.
//
//   plain_take_that MOST_STATES < POSITIONS        one position a line, as the package writes them
//
// prints for each position its value, the processor's nanoseconds spent on it, the memo starting empty, and the states in the memo; "-"
// in place of the value where there would be more than MOST_STATES of them, since some positions would fill the memory.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>

using Cards = std::string;  // one byte a card: hands ascending, the line from left to right

static Cards read_cards(const std::string& text, char separator) {
    Cards cards;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, separator);)
        if (!part.empty()) cards.push_back(static_cast<char>(std::stoi(part)));
    return cards;
}

static int twisted(int card) { return card % 10 * 10 + card / 10; }
static bool is_toad(int card) { return card % 11 == 0; }

static long long processor_time() {  // nanoseconds
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

struct TooMany {};

struct Solver {
    std::unordered_map<std::string, int> memo;
    std::size_t most_states;

    int value(const Cards& mover, const Cards& other, const Cards& line) {
        if (line.empty() && mover.empty()) return 0;
        std::string key;
        key.reserve(mover.size() + other.size() + line.size() + 2);
        key.append(mover).push_back('\1');
        key.append(other).push_back('\1');
        key.append(line);
        auto known = memo.find(key);
        if (known != memo.end()) return known->second;
        if (memo.size() >= most_states) throw TooMany();

        int best = -1000;
        if (!line.empty()) {
            int cost = 0;
            for (char card : line) cost += is_toad(card) ? 5 : 1;
            best = -cost;
        }
        for (std::size_t i = 0; i < mover.size(); i++) {
            int card = mover[i];
            Cards hand = mover;
            hand.erase(i, 1);
            if (line.empty() || std::abs(card - line.back()) <= 10) {
                int v = -value(other, hand, line + static_cast<char>(card));
                if (v > best) best = v;
            }
            std::size_t place = is_toad(card) ? Cards::npos : line.find(static_cast<char>(twisted(card)));
            if (place != Cards::npos) {
                Cards rest = line;
                rest.erase(place, 1);
                int v = 2 - (rest.empty() ? 0 : value(other, hand, rest));
                if (v > best) best = v;
            }
        }
        memo.emplace(std::move(key), best);
        return best;
    }
};

int main(int argc, char** argv) {
    std::size_t most_states = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : ~std::size_t(0);
    std::string mover, other, line;
    while (std::cin >> mover >> other >> line) {
        Cards first = read_cards(mover, ','), second = read_cards(other, ','), row = read_cards(line, '-');
        std::string value = "-";
        std::size_t states;
        long long start = processor_time();
        long long end;
        {
            Solver solver;
            solver.most_states = most_states;
            try {
                value = std::to_string(solver.value(first, second, row));
            } catch (const TooMany&) {
            }
            end = processor_time();
            states = solver.memo.size();
        }
        std::printf("%s %lld %zu\n", value.c_str(), end - start, states);
    }
}
