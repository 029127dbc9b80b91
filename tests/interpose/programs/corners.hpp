#pragma once

// What the parts of the program of corners share.
#include <cstddef>
#include <cstdio>

inline int wrong = 0;
inline int rank = 0;
inline int ranks = 1;
inline char* program = nullptr;  // its path

inline void expect(bool holds, const char* what, int line) {
  if (holds) return;
  ++wrong;
  if (wrong < 10) std::printf("rank %d, line %d: %s\n", rank, line, what);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

// Every second call is planned when native and planned calls take turns.
constexpr int turns = 4;

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Of data.
void exchanges();
void bottom();
void own_operations();
void all_pairs();
// Of communicators and requests.
void between_groups();
void errors();
void leaving();
void orders();
void uneven();
void attributes();
void many();
void reordered();
void of_sessions();
void later();
void spawn();
void child();
