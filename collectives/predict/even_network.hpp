#pragma once

#include <tombolo/units.hpp>

namespace tombolo {

/// What any two hosts of a network can do for each other at best: the bounds below hold for unlike hosts too, with the
/// figures of the best ones.
struct EvenNetwork {
  int hosts = 1;
  int ranks_per_host = 1;        ///< of the host with the most; each sends and receives by itself
  Picoseconds send = 0;          ///< processor time of a rank to send one message
  Picoseconds flight = 0;        ///< from the start of a send until bytes may flow, the processor time included
  Picoseconds receive = 0;       ///< processor time of a rank to receive one message
  BytesPerSecond all_rates = 0;  ///< sum of the rates of all hosts; 0 if a rate is unknown

  Picoseconds hop() const { return plus(flight, receive); }
};

/// The least time in which one host's information reaches `others` hosts, or `others` hosts' information reaches one.
/// A rank that has it starts a message every `gap`, which arrives after `hop`, and so does each of those that it has
/// reached (postal model: Bar-Noy and Kipnis 1994, for gap = 1).
Picoseconds spreading_time(int others, int ranks_per_host, Picoseconds gap, Picoseconds hop);

/// The least time to copy `bytes` from one host, whose rate is `rate` > 0, to all others; `gap` is the processor time
/// between messages. A byte that leaves the source w before the end can be copied on by S(w) hosts only, those that
/// spreading reaches in w; the source must send it ceil((hosts - 1) / S(w)) times. Turned round in time, with the
/// processor time of receives as the gap, it is a bound of combining at one host.
Picoseconds copying_time(const EvenNetwork& network, Bytes bytes, BytesPerSecond rate, Picoseconds gap);

/// The least time of an allreduce of `bytes` over the hosts; all rates must be known. An element whose result is made
/// in more than one hop takes 2 (hosts - 1) messages, some of which must be over one hop before the end; in one hop it
/// takes hosts (hosts - 1).
Picoseconds combining_time(const EvenNetwork& network, Bytes bytes);

/// The least time of a scan or exscan of `bytes` over the hosts; all rates must be known. A prefix network of depth d
/// has at least 2 hosts - 3 - d messages for each element (Snir 1986, for messages instead of operations), and time
/// bounds depth.
Picoseconds prefix_time(const EvenNetwork& network, Bytes bytes);

}  // namespace tombolo
