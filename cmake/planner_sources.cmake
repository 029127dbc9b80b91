# cmake -DLIST=FILES.txt -DROOT=FOLDER -DOUTPUT=FILE.cpp -P planner_sources.cmake: writes the function planner_sources()
# (collectives/choose/kept_plans.hpp), which returns a hash of the listed files and their names.
file(STRINGS ${LIST} files)
set(all "")
foreach(path IN LISTS files)
  file(SHA256 ${ROOT}/${path} hash)
  string(APPEND all "${path} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "#include <tombolo/collectives/choose/kept_plans.hpp>

namespace tombolo {

std::string_view planner_sources() {
  return \"${hash}\";
}

}  // namespace tombolo
")
