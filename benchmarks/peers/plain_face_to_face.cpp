// The peer that an engineer would write first: memo search over positions in a std::unordered_map, no tables, no tricks.
//
//   plain_face_to_face < POSITIONS        one position a line, as the package writes them
//
// prints for each position its remoteness and the nanoseconds spent on it, the memo starting empty. Reading `strict` of F13.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Position {
    uint64_t own_hand, other_hand;
    int own_asc, own_desc, other_asc, other_desc;

    bool operator==(const Position &that) const {
        return own_hand == that.own_hand && other_hand == that.other_hand && own_asc == that.own_asc &&
               own_desc == that.own_desc && other_asc == that.other_asc && other_desc == that.other_desc;
    }
};

struct Hash {
    size_t operator()(const Position &p) const {
        uint64_t tops = p.own_asc | p.own_desc << 6 | p.other_asc << 12 | p.other_desc << 18;
        uint64_t h = p.own_hand * 0x9E3779B97F4A7C15u;
        h = (h ^ h >> 32 ^ p.other_hand) * 0xBF58476D1CE4E5B9u;
        h = (h ^ h >> 32 ^ tops) * 0x94D049BB133111EBu;
        return h ^ h >> 32;
    }
};

using Memo = std::unordered_map<Position, int, Hash>;
using Set = std::unordered_set<Position, Hash>;

// Where a turn can stand: the same fields, the mover still first, and whether the helpful card was laid (F4).
// Adds every position that the turn can end in, the next mover first; `seen` holds what was walked through already.
void walk(const Position &p, bool helped, int laid, Set (&seen)[2], std::vector<Position> &ends) {
    if (laid >= 2)  // F3
        ends.push_back({p.other_hand, p.own_hand, p.other_asc, p.other_desc, p.own_asc, p.own_desc});
    for (uint64_t rest = p.own_hand; rest; rest &= rest - 1) {
        int card = __builtin_ctzll(rest);
        Position next = p;
        next.own_hand &= ~(uint64_t(1) << card);
        if (card > p.own_asc || card == p.own_asc - 10) {  // F5
            next.own_asc = card;
            if (seen[helped].insert(next).second) walk(next, helped, laid + 1, seen, ends);
            next.own_asc = p.own_asc;
        }
        if (card < p.own_desc || card == p.own_desc + 10) {  // F6
            next.own_desc = card;
            if (seen[helped].insert(next).second) walk(next, helped, laid + 1, seen, ends);
            next.own_desc = p.own_desc;
        }
        if (!helped && card < p.other_asc) {  // F8
            next.other_asc = card;
            if (seen[true].insert(next).second) walk(next, true, laid + 1, seen, ends);
            next.other_asc = p.other_asc;
        }
        if (!helped && card > p.other_desc) {
            next.other_desc = card;
            if (seen[true].insert(next).second) walk(next, true, laid + 1, seen, ends);
            next.other_desc = p.other_desc;
        }
    }
}

// Whether the mover can lay the whole hand this turn, which wins at once (F12).
bool can_finish(const Position &p, bool helped) {
    if (p.own_hand == 0) return true;
    for (uint64_t rest = p.own_hand; rest; rest &= rest - 1) {
        int card = __builtin_ctzll(rest);
        Position next = p;
        next.own_hand &= ~(uint64_t(1) << card);
        if (card > p.own_asc || card == p.own_asc - 10) {  // F5
            next.own_asc = card;
            if (can_finish(next, helped)) return true;
            next.own_asc = p.own_asc;
        }
        if (card < p.own_desc || card == p.own_desc + 10) {  // F6
            next.own_desc = card;
            if (can_finish(next, helped)) return true;
            next.own_desc = p.own_desc;
        }
        if (!helped && (card < p.other_asc || card > p.other_desc)) {  // F8
            if (can_finish(next, true)) return true;
        }
    }
    return false;
}

int remoteness(const Position &p, Memo &memo) {
    if (p.other_hand == 0) return 0;  // F12
    if ((p.own_hand & (p.own_hand - 1)) == 0) return 0;  // F3, F13: one card
    auto known = memo.find(p);
    if (known != memo.end()) return known->second;
    if (can_finish(p, false)) return memo[p] = 1;
    Set seen[2];
    std::vector<Position> ends;
    walk(p, false, 0, seen, ends);
    int win = 0, loss = 0;
    for (size_t i = 0; i < ends.size() && win != 1; i++) {
        int value = remoteness(ends[i], memo);
        if (value % 2 == 0)
            win = win ? std::min(win, value + 1) : value + 1;
        else
            loss = std::max(loss, value + 1);
    }
    return memo[p] = win ? win : loss;  // no turn at all: 0 (F13)
}

// One side as the package writes it, `27^40v:17,18,45`.
bool read_side(std::istream &in, int &asc, int &desc, uint64_t &hand) {
    std::string word, card;
    if (!(in >> word)) return false;
    std::replace_if(word.begin(), word.end(), [](char c) { return c < '0' || c > '9'; }, ' ');
    std::istringstream numbers(word);
    numbers >> asc >> desc;
    for (hand = 0; numbers >> card;) hand |= uint64_t(1) << std::stoi(card);
    return true;
}

int main() {
    Position p;
    while (read_side(std::cin, p.own_asc, p.own_desc, p.own_hand) &&
           read_side(std::cin, p.other_asc, p.other_desc, p.other_hand)) {
        auto start = std::chrono::steady_clock::now();
        int value;
        {
            Memo memo;
            value = remoteness(p, memo);
        }
        auto spent = std::chrono::steady_clock::now() - start;
        std::cout << value << ' ' << std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count() << '\n';
    }
}
