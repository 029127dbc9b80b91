#include <memory>
#include <utility>

#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

/// The tables that an attribute points into: plain arrays over the rows of a LevelColors.
struct Tables {
  explicit Tables(LevelColors found) : levels(std::move(found)) {
    for (const auto& row : levels.colors) {
      depths.push_back(static_cast<int>(row.size()));
      colors.push_back(row.data());
    }
    for (const auto& row : levels.kinds) kinds.push_back(row.data());
  }
  ~Tables() = default;
  Tables(const Tables&) = delete;  // the tables point into `levels`
  Tables& operator=(const Tables&) = delete;

  LevelColors levels;
  std::vector<int> depths;
  std::vector<const int*> colors;
  std::vector<const Level::Kind*> kinds;
};

/// The attribute of one communicator. Duplicates share its tables.
struct Kept : ClustersAttribute {
  explicit Kept(std::shared_ptr<const Tables> shown)
      : ClustersAttribute{static_cast<int>(shown->depths.size()), shown->depths.data(), shown->colors.data(),
                          shown->kinds.data()},
        tables(std::move(shown)) {}
  std::shared_ptr<const Tables> tables;
};

const Kept* kept(const void* value) {
  return static_cast<const Kept*>(static_cast<const ClustersAttribute*>(value));
}

void* as_value(std::unique_ptr<Kept> attribute) {
  return static_cast<ClustersAttribute*>(attribute.release());  // owned by MPI from now on
}

int copy(MPI_Comm, int, void*, void* value, void* copied, int* flag) {
  *static_cast<void**>(copied) = as_value(std::make_unique<Kept>(kept(value)->tables));
  *flag = 1;
  return MPI_SUCCESS;
}

int forget(MPI_Comm, int, void* value, void*) {
  const std::unique_ptr<const Kept> last(kept(value));
  return MPI_SUCCESS;
}

}  // namespace

int clusters_keyval() {
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(copy, forget, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
  }();
  return keyval;
}

const ClustersAttribute* find_clusters(MPI_Comm communicator) {
  ClustersAttribute* found = nullptr;
  int there = 0;
  check_mpi(MPI_Comm_get_attr(communicator, clusters_keyval(), &found, &there), "MPI_Comm_get_attr");
  return there != 0 ? found : nullptr;
}

const ClustersAttribute& set_clusters(MPI_Comm communicator, LevelColors levels) {
  const ClustersAttribute* const before = find_clusters(communicator);
  if (before != nullptr && kept(before)->tables->levels == levels) return *before;
  auto attribute = std::make_unique<Kept>(std::make_shared<const Tables>(std::move(levels)));
  const ClustersAttribute& now = *attribute;
  check_mpi(MPI_Comm_set_attr(communicator, clusters_keyval(), as_value(std::move(attribute))), "MPI_Comm_set_attr");
  return now;
}

}  // namespace tombolo
