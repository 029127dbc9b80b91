#include <limits>
#include <map>
#include <vector>

#include <catch2/catch.hpp>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tombolo/platform/system/cores.hpp>

using namespace tombolo;

namespace {

ReadFile reader_of(std::map<std::string, std::string> files) {
  return [files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::string() : found->second;
  };
}

const std::optional<int> none;

std::optional<int> whole(const std::optional<CpuQuota>& quota) {
  return quota ? std::optional(whole_cores(*quota)) : none;
}

std::optional<int> cores_of(std::string_view self_cgroup, const ReadFile& read) {
  return whole(cgroup_quota(self_cgroup, read));
}

}  // namespace

TEST_CASE("a cgroup v2 quota is rounded up to cores") {
  CHECK(whole(quota_of_cpu_max("150000 100000\n")) == 2);
  CHECK(whole(quota_of_cpu_max("200000 100000\n")) == 2);
  CHECK(whole(quota_of_cpu_max("200001 100000\n")) == 3);
  CHECK(whole(quota_of_cpu_max("1000 100000")) == 1);
  CHECK(whole(quota_of_cpu_max("9000000000000000000 1")) == std::numeric_limits<int>::max());
  for (const char* text :
       {"", "max 100000\n", "max", "150000", "150000 0", "-1 100000", "x 5", "99999999999999999999 1"}) {
    INFO(text);
    CHECK(whole(quota_of_cpu_max(text)) == none);
  }
}

TEST_CASE("a cgroup v1 quota is rounded up to cores") {
  CHECK(whole(quota_of_cfs("150000\n", "100000\n")) == 2);
  CHECK(whole(quota_of_cfs("50000\n", "100000\n")) == 1);
  CHECK(whole(quota_of_cfs("-1\n", "100000\n")) == none);
  CHECK(whole(quota_of_cfs("150000\n", "")) == none);
  CHECK(whole(quota_of_cfs("", "100000\n")) == none);
}

TEST_CASE("the least quota on the way from a cgroup to the root counts") {
  const std::string v2 = "0::/user.slice/job 7\n";
  CHECK(cores_of(v2, reader_of({})) == none);
  CHECK(cores_of(v2, reader_of({{"/sys/fs/cgroup/user.slice/job 7/cpu.max", "300000 100000\n"}})) == 3);
  CHECK(cores_of(v2, reader_of({{"/sys/fs/cgroup/user.slice/job 7/cpu.max", "max 100000\n"},
                                {"/sys/fs/cgroup/user.slice/cpu.max", "800000 100000\n"},
                                {"/sys/fs/cgroup/cpu.max", "500000 100000\n"}})) == 5);
  CHECK(cores_of(v2, reader_of({{"/sys/fs/cgroup/user.slice/other/cpu.max", "100000 100000\n"}})) == none);
}

TEST_CASE("a quota is that of the cgroup that has least, with its period") {
  const auto quota = cgroup_quota("0::/a/b\n", reader_of({{"/sys/fs/cgroup/a/b/cpu.max", "30000 20000\n"},
                                                          {"/sys/fs/cgroup/a/cpu.max", "140000 100000\n"},
                                                          {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}}));
  REQUIRE(quota);
  CHECK(quota->folder == "/sys/fs/cgroup/a");
  CHECK(quota->period == 100'000);
  CHECK(quota->cores() == Approx(1.4));
}

TEST_CASE("cgroup v1 and hybrid hierarchies are read") {
  const std::string v1 = "9:name=systemd:/s\n4:memory:/m\n3:cpuset:/c\n2:cpu,cpuacct:/job\n0::/u\n";
  const auto quota = [](const std::string& folder, const std::string& value) {
    return reader_of({{folder + "/cpu.cfs_quota_us", value}, {folder + "/cpu.cfs_period_us", "100000\n"}});
  };
  CHECK(cores_of(v1, quota("/sys/fs/cgroup/cpu/job", "250000\n")) == 3);
  CHECK(cores_of(v1, quota("/sys/fs/cgroup/cpu,cpuacct/job", "250000\n")) == 3);
  CHECK(cores_of(v1, quota("/sys/fs/cgroup/cpu", "250000\n")) == 3);  // a container: only the root is mounted
  CHECK(cores_of(v1, quota("/sys/fs/cgroup/cpu/job", "-1\n")) == none);
  for (const char* other : {"/c", "/m", "/s"}) {
    CHECK(cores_of(v1, quota(std::string("/sys/fs/cgroup/cpu") + other, "250000\n")) == none);
  }
  CHECK(cores_of(v1, reader_of({{"/sys/fs/cgroup/unified/u/cpu.max", "100000 100000\n"}})) == 1);
}

TEST_CASE("a malformed list of cgroups sets no limit") {
  const auto tight = reader_of({{"/sys/fs/cgroup/cpu.max", "100000 100000"}});
  for (const char* text : {"", "\n\n", "nonsense", "1:cpu", ":", "5:memory:/"}) {
    INFO(text);
    CHECK(cores_of(text, tight) == none);
  }
  CHECK(cores_of("0::", tight) == 1);
  CHECK(cores_of("0::/../..", tight) == 1);  // outside of the namespace
}

TEST_CASE("the host has cores and a name") {
  const Cores cores = find_cores();
  CHECK(cores.usable >= 1);
  CHECK(cores.allowed >= cores.usable);
  CHECK(cores.on_host >= cores.allowed);
  CHECK((cores.quota == 0 || cores.quota < cores.on_host));
  CHECK_FALSE(cores.processor.empty());
  CHECK(cores.processor.find('\n') == std::string::npos);
}

TEST_CASE("a process bound to one core may use one") {
  const int on_host = find_cores().on_host;
  const pid_t child = fork();  // which has one thread to bind; here BLAS may have started more
  if (child == 0) {
    cpu_set_t all;
    cpu_set_t one;
    CPU_ZERO(&one);
    bool as_expected = sched_getaffinity(0, sizeof all, &all) == 0;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    }
    as_expected = as_expected && sched_setaffinity(0, sizeof one, &one) == 0;
    const Cores bound = find_cores();
    _exit(as_expected && bound.usable == 1 && bound.on_host == on_host ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

using namespace tombolo;

namespace {

CoreClaim claim(std::vector<std::size_t> threads, double quota = 0, std::uint64_t group = 0) {
  CoreClaim made{.threads = {}, .cores = static_cast<int>(threads.size()), .quota = quota, .quota_group = group};
  CPU_ZERO(&made.threads);
  for (const std::size_t thread : threads) CPU_SET(thread, &made.threads);
  return made;
}

std::vector<int> sharing(const std::vector<CoreClaim>& claims) {
  std::vector<int> found;
  for (std::size_t rank = 0; rank < claims.size(); ++rank) found.push_back(ranks_sharing(claims, rank));
  return found;
}

}  // namespace

TEST_CASE("ranks share the cores that several of them may run on") {
  CHECK(sharing({claim({0, 1})}) == std::vector{1});
  CHECK(sharing({claim({0, 1}), claim({0, 1}), claim({2})}) == std::vector{2, 2, 1});
  CHECK(sharing({claim({0, 1}), claim({1, 2}), claim({2, 3})}) == std::vector{2, 3, 2});
}

TEST_CASE("ranks with quotas of their own share nothing, as long as there are cores for all") {
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1}, 0.4, 12), claim({0, 1}, 0.2, 13), claim({0, 1}, 0.6, 14)}) ==
        std::vector{1, 1, 1, 1});
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1}, 0.8, 12), claim({0, 1}, 0.8, 13)}) == std::vector{3, 3, 3});
  // One of them has no quota, so it may take what the other was promised.
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1})}) == std::vector{2, 2});
}

TEST_CASE("ranks of one quota share it") {
  const CoreClaim in_container = claim({0, 1, 2, 3}, 1.5, 5);
  CHECK(sharing({in_container, in_container, in_container}) == std::vector{3, 3, 3});
  CHECK(sharing({in_container, in_container, claim({0, 1, 2, 3}, 2, 6)}) == std::vector{2, 2, 1});
}
