#pragma once

#include <string>
#include <string_view>

namespace taut {

/// A file that is being written: it stands beside the one it is to become, as NAME.part.ENDING, and takes its name when
/// it is whole. Whatever happens before, an earlier file of that name is as it was. Only one program at a time can hold
/// the draft of a file. Devices and pipes are written as they are.
class Draft {
 public:
  /// What becomes of a draft that an earlier program has left: who writes into it begins with nothing, who gives its
  /// name to another file leaves it whole until then.
  enum class Earlier { emptied, left };
  /// Throws InputError if the file cannot be written, or someone else is writing it.
  explicit Draft(const std::string& file, Earlier earlier = Earlier::emptied);
  /// What was not kept is removed.
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  int descriptor() const { return descriptor_; }
  /// Where it stands for now, and where it goes: links are followed.
  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }
  bool is_device() const { return path_ == target_; }

  /// Writes all of it. Returns how much got through; errno says why if that is less.
  std::size_t write(std::string_view text) const;
  /// It is whole. Throws std::system_error if it cannot take its place.
  void keep();
  /// It is not whole, but better than nothing: it takes the place of no file, and else stays where it is. Returns where
  /// it can be found.
  std::string keep_unfinished();

 private:
  void open_alone(Earlier earlier);

  std::string target_, path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

/// NAME.MARK.ENDING beside a file.
std::string beside(const std::string& file, const std::string& mark);
/// The file behind links, though it may not be there.
std::string behind_links(const std::string& file);
/// Claims the file behind a descriptor for this program until it is closed; false if another has it.
bool lock_alone(int descriptor);
/// Do two names lead to one file that is there?
bool is_same_file(const std::string& a, const std::string& b);

/// Writes a text as a file, whole or not at all. Throws std::runtime_error with file and reason.
void write_whole(const std::string& file, std::string_view text);

}  // namespace taut
