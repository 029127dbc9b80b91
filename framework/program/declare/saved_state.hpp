#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Point of a run at which no task is under way: between two passes of a loop.
struct SavedPoint {
  std::size_t section = 0;                ///< of the loop (sections_of)
  std::vector<std::int64_t> passes = {};  ///< complete passes of each loop
  bool operator==(const SavedPoint&) const = default;
};

/// Returns the point in words: "after 300 passes of sweep".
std::string describe(const Declaration& program, const SavedPoint& point);

/// Returns the newest values at a point of a run that has begun with `begins`.
NewestValues values_at(const Declaration& program, const NewestValues& begins, const SavedPoint& point);

/// What a checkpoint does with an array.
enum class SavedAs {
  file,      ///< its elements, in a file
  bits,      ///< a number, in the text of the checkpoint
  constant,  ///< a hash: no task changes the array, and the program fills it before every run
  nothing,   ///< no values: the next task that touches it writes all of it, or a move has spent it
};
/// Returns what a checkpoint at a point does with an array. Throws Error, with the remedy, if the newest values are
/// parts of a partial value that ranks have not reduced.
SavedAs saved_as(const Declaration& program, const NewestValues& begins, const SavedPoint& point, int array);

/// Throws Error if a loop has no point at which the program can be saved. `begins`: newest values before the run.
void check_can_be_saved(const Declaration& program, const NewestValues& begins);

/// An array in a checkpoint.
struct SavedArray {
  std::string name;
  std::string type;  ///< "float64"
  MatrixShape shape;
  SavedAs as = SavedAs::nothing;
  std::string file = {};       ///< name in the folder of the checkpoint
  bool fortran_order = false;  ///< of the file
  std::uint64_t hash = 0;      ///< of all elements (hash_part)
  std::string bits = {};       ///< of a number, hexadecimal
  bool operator==(const SavedArray&) const = default;
};

/// The text of a checkpoint: what it holds beside the elements of arrays. Independent of the number of ranks.
struct SavedState {
  std::string program;
  std::int64_t number = 0;  ///< ascending from one checkpoint of a program to the next
  std::int64_t run = 1;     ///< the call of Program::run() that it belongs to
  int ranks = 0;            ///< of the run that has made it
  std::string made = {};    ///< date and time, for people
  SavedPoint point = {};
  std::vector<Copies> begins = {};      ///< newest values of each array before the run
  std::vector<SavedArray> arrays = {};  ///< all, in order of declaration
  std::vector<Fingerprint> parts = {};  ///< tasks and loops of the program
};

/// Returns the fingerprints of tasks and loops without costs, limits of passes and all that depends on ranks.
std::vector<Fingerprint> saved_parts(const Declaration& program);

/// JSON with a checksum of its content.
std::string to_text(const SavedState& state);
/// Throws Error for a text that is damaged or no checkpoint; `name` names it.
SavedState saved_state_from(std::string_view text, const std::string& name);

/// Throws Error if a checkpoint is one of another program or of other sizes; `name` names it.
void check_suits(const SavedState& state, const Declaration& program, const std::string& name);

/// Returns a name as a part of a file's name: other characters than letters, digits, - and _ become _.
std::string file_name_of(std::string_view name);

/// Bytes as hexadecimal digits, and back; throws Error for other text.
std::string hex_of(const std::byte* bytes, std::size_t count);
void bytes_from_hex(std::string_view digits, std::byte* bytes, std::size_t count);

}  // namespace tombolo
