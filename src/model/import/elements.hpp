#pragma once

#include <string_view>
#include <vector>

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

/// What a format's elements are taken for. The importers read their files by these lists, and docs/import.md is
/// written from them (scripts/import-table).
namespace taut::robot {

enum class Treatment {
  simulated,  ///< or drawn
  passed,     ///< it has no effect on the motion
  refused     ///< it acts on the motion, and nothing here does so; `subject` leaves it out
};

struct ElementRow {
  std::string_view within;  ///< names of elements that it stands in, with blanks between
  std::string_view name;    ///< names of elements that are treated alike
  Treatment treatment;
  std::string_view taken;    ///< attributes that count
  std::string_view passed;   ///< attributes that have no effect on the motion; "*": any
  std::string_view subject;  ///< of what is refused
  std::string_view remark;
};

struct FormatRows {
  std::string_view name;
  std::vector<ElementRow> rows;
  bool open;  ///< elements and attributes that it does not know belong to other programs
};

const FormatRows& mjcf_rows();
const FormatRows& urdf_rows();
const FormatRows& sdf_rows();

/// null if there is none.
const ElementRow* find_row(const FormatRows& format, std::string_view within, std::string_view name);
/// Judges an element by the list, and its attributes: true if it is to be read. What it is in counts as `within`.
bool admit(const FormatRows& format, std::string_view within, const Element& element, Findings& findings);
/// The list as a table of docs/import.md.
std::string table_of(const FormatRows& format);

}  // namespace taut::robot
