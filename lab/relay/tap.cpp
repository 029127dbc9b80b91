#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <tombolo/lab/relay/tap.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr const char* device = "/dev/net/tun";

std::string remedy(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
      return "run it as root";
    case EBUSY:
      return "end the program that uses it, or name another interface";
    case EINVAL:
      return "name another interface, this one is no TAP";
    default:
      return "load the kernel's module tun";
  }
}

}  // namespace

Descriptor open_tap(const std::string& name) {
  Descriptor tap(::open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (tap.number() < 0) {
    const int error = errno;
    throw Error(fmt::format("cannot open {}: {}", device, std::strerror(error)), remedy(error));
  }
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  name.copy(request.ifr_name, sizeof request.ifr_name - 1);
  if (::ioctl(tap.number(), TUNSETIFF, &request) != 0) {
    const int error = errno;
    throw Error(fmt::format("cannot use {} as a TAP: {}", name, std::strerror(error)), remedy(error));
  }
  return tap;
}

}  // namespace tombolo
