#pragma once

#include <string>

namespace taut {

/// Who holds it may write a ledger; the system takes it back when its process ends, however it ends. It is a file
/// beside the ledger, NAME-lock, since SQLite would lose its own locks if somebody else closed the ledger's file.
class LedgerLock {
 public:
  /// Throws InputError where another process has it, or the folder cannot be written to.
  explicit LedgerLock(const std::string& ledger);
  ~LedgerLock();
  LedgerLock(const LedgerLock&) = delete;
  LedgerLock& operator=(const LedgerLock&) = delete;

  /// Does any process hold it now?
  static bool is_held(const std::string& ledger);

 private:
  std::string file_;
  int descriptor_ = -1;
};

}  // namespace taut
