#pragma once

#include <hdf5.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

/// HDF5's C library, wrapped as far as runs need it.
namespace taut::hdf5 {

/// The group of the figures of steps.
constexpr const char* diagnostics = "diagnostics";

/// An error of the library; the message is the system's own where it gave one.
struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void complain();

template <class Result>
Result checked(Result result) {
  if (result < 0) complain();
  return result;
}

/// Something the library has opened, closed at the end.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(checked(id)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
};

/// While it lives the library does not print its errors, and loads no filter that a file asks for.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

void write_text(hid_t object, const char* name, const std::string& text);
/// "" where there is none. Anything but one piece of text is Trouble.
std::string read_text(hid_t object, const char* name);

/// The name of a data set: a slash would make a group of what stands before it.
std::string link_name(const std::string& name, std::set<std::string>& taken);

}  // namespace taut::hdf5
