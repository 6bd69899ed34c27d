#pragma once

#include "ensemble/messenger.hpp"
#include "ensemble/sweep.hpp"

/// A sweep under mpirun: rank 0 hands out members and alone writes the ledger, the others run them. Who dies loses what
/// it was running.
namespace taut {

/// What rank 0 does, as run_sweep().
SweepOutcome lead_ranks(Ledger& ledger, Messenger& messenger, bool retry_failed, SweepObserver* observer);
/// What the other ranks do, until there is nothing left.
void serve_rank(Messenger& messenger);
/// Sends the other ranks home, where nothing is to be run.
void dismiss_ranks(Messenger& messenger);

}  // namespace taut
