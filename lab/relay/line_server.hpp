#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <tombolo/lab/relay/descriptor.hpp>

namespace tombolo {

/// Answers lines that come over a UNIX stream socket by lines, to any number of clients, inside the caller's own loop:
/// nothing waits. Only the user who runs it may connect.
class LineServer {
 public:
  /// Errors: the path is too long for a socket, is something else, is another program's that answers, or cannot be
  /// made.
  explicit LineServer(std::filesystem::path path);
  ~LineServer();  ///< the socket is gone then
  LineServer(const LineServer&) = delete;
  LineServer& operator=(const LineServer&) = delete;

  /// Readable when there is something to serve.
  int descriptor() const { return events_.number(); }

  /// Takes in what has come and answers every complete line of it. Who sends a line without an end or does not read
  /// the answers, 1 MiB and 64 MiB long, is disconnected.
  void serve(const std::function<std::string(std::string_view)>& answer);

 private:
  struct Client {
    Descriptor socket;
    std::string received;
    std::string to_send;
    bool ended = false;  ///< it will send no more
  };
  void listen();
  void watch(int number, bool until_writable, int how) const;
  void welcome();
  static bool receive(Client& client);
  static bool send(Client& client);

  std::filesystem::path path_;
  Descriptor events_;  ///< an epoll of all of them, which an epoll may watch
  Descriptor listening_;
  std::map<int, Client> clients_;
};

}  // namespace tombolo
