// The peer that an engineer would write first: a recursion over deals with a std::unordered_map, no bounds, no tricks.
//
//   plain_face_to_face_deals SECONDS < DEALS     one deal a line, as the package writes them
//
// prints for each deal 1 if the player to move wins, 0 if not, - if the seconds ran out, and the nanoseconds spent on it, the memo
// starting empty. Reading `strict` of F13.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Side {
    uint64_t hand;
    int asc, desc, drawn;

    bool operator==(const Side &that) const {
        return hand == that.hand && asc == that.asc && desc == that.desc && drawn == that.drawn;
    }
};

struct Deal {
    Side own, other;
    int seat;

    bool operator==(const Deal &that) const { return own == that.own && other == that.other && seat == that.seat; }
};

struct Hash {
    size_t operator()(const Deal &d) const {
        uint64_t h = d.own.hand * 0x9E3779B97F4A7C15u;
        h = (h ^ h >> 32 ^ d.other.hand) * 0xBF58476D1CE4E5B9u;
        uint64_t tops = d.own.asc | d.own.desc << 6 | d.other.asc << 12 | d.other.desc << 18;
        h = (h ^ h >> 32 ^ (tops | uint64_t(d.own.drawn) << 24 | uint64_t(d.other.drawn) << 32 | uint64_t(d.seat) << 40)) *
            0x94D049BB133111EBu;
        return h ^ h >> 32;
    }
};

std::vector<int> piles[2];
std::unordered_map<Deal, bool, Hash> memo;
Clock::time_point deadline;
bool over;

// What the turn leads to if it ends here: the mover draws (F11), and the other is next.
Deal after(Deal d, bool helped) {
    const std::vector<int> &pile = piles[d.seat];
    int wanted = helped ? 6 - __builtin_popcountll(d.own.hand) : 2;
    for (; wanted > 0 && d.own.drawn < int(pile.size()); wanted--) d.own.hand |= uint64_t(1) << pile[d.own.drawn++];
    return {d.other, d.own, 1 - d.seat};
}

using Set = std::unordered_set<Deal, Hash>;

void walk(const Deal &d, bool helped, int laid, Set (&seen)[2], std::vector<Deal> &ends) {
    if (laid >= 2) ends.push_back(after(d, helped));  // F3
    for (uint64_t rest = d.own.hand; rest; rest &= rest - 1) {
        int card = __builtin_ctzll(rest);
        Deal next = d;
        next.own.hand &= ~(uint64_t(1) << card);
        auto go = [&](int &top, bool help) {
            int before = top;
            top = card;
            if (seen[helped || help].insert(next).second) walk(next, helped || help, laid + 1, seen, ends);
            top = before;
        };
        if (card > d.own.asc || card == d.own.asc - 10) go(next.own.asc, false);     // F5
        if (card < d.own.desc || card == d.own.desc + 10) go(next.own.desc, false);  // F6
        if (!helped && card < d.other.asc) go(next.other.asc, true);                 // F8
        if (!helped && card > d.other.desc) go(next.other.desc, true);
    }
}

bool wins(const Deal &d) {
    if (!d.other.hand && d.other.drawn == int(piles[1 - d.seat].size())) return false;  // F12
    auto known = memo.find(d);
    if (known != memo.end()) return known->second;
    if (over || (over = Clock::now() > deadline)) return false;
    Set seen[2];
    std::vector<Deal> ends;
    walk(d, false, 0, seen, ends);
    bool won = false;
    for (size_t i = 0; i < ends.size() && !won && !over; i++) won = !wins(ends[i]);
    if (!over) memo[d] = won;
    return won;
}

// One side as the package writes it, `27^40v:17,18,45+2,33`.
bool read_side(std::istream &in, Side &side, std::vector<int> &pile) {
    std::string word;
    if (!(in >> word)) return false;
    size_t plus = std::min(word.find('+'), word.size());
    for (char &c : word)
        if (c < '0' || c > '9') c = ' ';
    std::istringstream held(word.substr(0, plus)), hidden(word.substr(plus));
    int card;
    held >> side.asc >> side.desc;
    for (side.hand = 0; held >> card;) side.hand |= uint64_t(1) << card;
    for (pile.clear(); hidden >> card;) pile.push_back(card);
    side.drawn = 0;
    return true;
}

int main(int, char **arguments) {
    Deal d;
    auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::stod(arguments[1])));
    d.seat = 0;
    while (read_side(std::cin, d.own, piles[0]) && read_side(std::cin, d.other, piles[1])) {
        auto start = Clock::now();
        memo.clear();
        over = false;
        deadline = start + limit;
        bool won = wins(d);
        auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        std::cout << (over ? "-" : won ? "1" : "0") << ' ' << spent << '\n';
    }
}
