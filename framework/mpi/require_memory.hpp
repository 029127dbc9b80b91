#pragma once

namespace tombolo {

class Session;

/// Checks, before anything is allocated, that what all ranks of every host need together is free there; throws
/// AgreedError on all ranks where it is not. `bytes` is what this rank needs, as a double, for sizes typed by mistake
/// may pass 2^63. Collective.
void require_memory(Session& session, double bytes);

}  // namespace tombolo
