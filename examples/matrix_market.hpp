#pragma once

#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cholmod.h>

/// A symmetric matrix by rows, all entries of them: row i has entries [first[i], first[i + 1]), columns ascending.
struct SymmetricMatrix {
  std::vector<std::int64_t> first;   ///< one more than rows
  std::vector<std::int64_t> column;  ///< as many as there are entries, like value
  std::vector<double> value;
  bool operator==(const SymmetricMatrix&) const = default;
};

/// Reads a Matrix Market file by CHOLMOD; of a symmetric one that stores a triangle, both come out. Throws
/// std::runtime_error of one line: no such file, damaged, a pattern or complex, not square, not symmetric.
inline SymmetricMatrix read_matrix_market(const std::string& path) {
  const auto refuse_if = [&path](bool wrong, const std::string& cause) {
    if (wrong) throw std::runtime_error(path + " " + cause + "; give a real symmetric matrix in coordinates (.mtx)");
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
  refuse_if(file == nullptr, std::string("cannot be opened: ") + std::strerror(errno));
  std::string banner;  // CHOLMOD would make up values of a pattern
  std::getline(std::ifstream(path), banner);
  for (char& letter : banner) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  refuse_if(!banner.starts_with("%%matrixmarket"), "is no Matrix Market file");
  refuse_if(banner.find(" pattern") != std::string::npos, "has no values, only a pattern");
  cholmod_common common{};
  cholmod_l_start(&common);
  common.print = 0;  // it throws nothing and says nothing; status and null pointers tell
  const std::unique_ptr<cholmod_common, int (*)(cholmod_common*)> started(&common, cholmod_l_finish);
  const auto free = [&common](cholmod_sparse* matrix) { cholmod_l_free_sparse(&matrix, &common); };
  using Matrix = std::unique_ptr<cholmod_sparse, decltype(free)>;
  const Matrix read(cholmod_l_read_sparse(file.get(), &common), free);
  refuse_if(!read, "is damaged or not sparse (CHOLMOD says " + std::to_string(common.status) + ")");
  refuse_if(read->xtype != CHOLMOD_REAL, "is complex");
  refuse_if(read->nrow != read->ncol, "is " + std::to_string(read->nrow) + " x " + std::to_string(read->ncol));
  const Matrix whole(cholmod_l_copy(read.get(), 0, 1, &common), free);
  const Matrix by_rows(cholmod_l_transpose(whole.get(), 1, &common), free);  // transposed, columns are sorted
  const Matrix again(cholmod_l_transpose(by_rows.get(), 1, &common), free);
  refuse_if(!again, "takes more memory than there is");
  const auto parts = [](const cholmod_sparse& matrix) {
    const auto* first = static_cast<const std::int64_t*>(matrix.p);
    const auto* column = static_cast<const std::int64_t*>(matrix.i);
    const auto* value = static_cast<const double*>(matrix.x);
    const std::int64_t count = first[matrix.nrow];
    return SymmetricMatrix{{first, first + matrix.nrow + 1}, {column, column + count}, {value, value + count}};
  };
  refuse_if(parts(*by_rows) != parts(*again), "is not symmetric");
  return parts(*by_rows);
}
