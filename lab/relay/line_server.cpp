#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <tombolo/lab/relay/line_server.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr std::size_t longest_line = 1UL << 20;
constexpr std::size_t longest_answers = 64UL << 20;

sockaddr_un address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = path.string();
  if (name.size() >= sizeof address.sun_path) {
    throw Error(fmt::format("{} is too long for a socket's path, by {} bytes", printable(path),
                            name.size() - sizeof address.sun_path + 1),
                "put the socket somewhere else");
  }
  name.copy(address.sun_path, name.size());
  return address;
}

Descriptor stream_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

}  // namespace

LineServer::LineServer(std::filesystem::path path) : path_(std::move(path)), events_(::epoll_create1(EPOLL_CLOEXEC)) {
  listen();
  watch(listening_.number(), false, EPOLL_CTL_ADD);
}

LineServer::~LineServer() {
  ::unlink(path_.c_str());
}

void LineServer::listen() {
  const sockaddr_un address = address_of(path_);
  struct stat there {};
  if (::lstat(path_.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) {  // left behind by one that was killed?
    const Descriptor other = stream_socket();
    if (::connect(other.number(), generic(address), sizeof address) == 0) {
      throw Error(fmt::format("another program answers at {}", printable(path_)), "end it, or name another socket");
    }
    ::unlink(path_.c_str());
  }
  listening_ = stream_socket();
  const mode_t before = ::umask(0177);
  const bool bound = ::bind(listening_.number(), generic(address), sizeof address) == 0;
  const int error = errno;
  ::umask(before);
  if (!bound) throw_file_error("make the socket", path_, error);
  if (::listen(listening_.number(), SOMAXCONN) != 0) throw_file_error("listen at", path_, errno);
}

void LineServer::watch(int number, bool until_writable, int how) const {
  epoll_event event{};
  event.events = until_writable ? EPOLLOUT : EPOLLIN;
  event.data.fd = number;
  ::epoll_ctl(events_.number(), how, number, &event);
}

void LineServer::welcome() {
  for (;;) {
    Descriptor socket(::accept4(listening_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const int number = socket.number();
    if (number < 0) return;
    watch(number, false, EPOLL_CTL_ADD);
    clients_[number].socket = std::move(socket);
  }
}

/// False where the connection is broken.
bool LineServer::receive(Client& client) {
  std::array<char, 4096> some{};
  for (;;) {
    const ssize_t got = ::recv(client.socket.number(), some.data(), some.size(), 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    client.ended = got == 0;
    if (client.ended) return true;
    client.received.append(some.data(), static_cast<std::size_t>(got));
    if (client.received.size() > longest_line) return true;
  }
}

bool LineServer::send(Client& client) {
  while (!client.to_send.empty()) {
    const ssize_t sent = ::send(client.socket.number(), client.to_send.data(), client.to_send.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    client.to_send.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

void LineServer::serve(const std::function<std::string(std::string_view)>& answer) {
  std::array<epoll_event, 16> events{};
  const int ready = ::epoll_wait(events_.number(), events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < ready; ++i) {
    const int number = events[static_cast<std::size_t>(i)].data.fd;
    if (number == listening_.number()) {
      welcome();
      continue;
    }
    Client& client = clients_.at(number);
    bool fine = !client.to_send.empty() || receive(client);
    for (std::size_t end = client.received.find('\n'); fine && end != std::string::npos;
         end = client.received.find('\n')) {
      client.to_send += answer(std::string_view(client.received).substr(0, end)) + '\n';
      client.received.erase(0, end + 1);
    }
    fine = fine && send(client) && client.received.size() <= longest_line && client.to_send.size() <= longest_answers;
    if (!fine || (client.ended && client.to_send.empty())) {
      clients_.erase(number);
    } else {
      watch(number, !client.to_send.empty(), EPOLL_CTL_MOD);
    }
  }
}

}  // namespace tombolo
