#include "output/hdf5_library.hpp"

namespace taut::hdf5 {
namespace {

/// The library's own words are about its inside; what the system said is for the user.
herr_t keep_message(unsigned, const H5E_error2_t* error, void* out) {
  const std::string text = error->desc ? error->desc : "", mark = "error message = '";
  const auto at = text.find(mark);
  if (at == std::string::npos) return 0;
  const auto begin = at + mark.size();
  *static_cast<std::string*>(out) = text.substr(begin, text.find('\'', begin) - begin);
  return 0;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1));
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

}  // namespace

void complain() {
  std::string message;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_message, &message);
  throw Trouble(message.empty() || message == "Success" ? "it is damaged, or no file of HDF5" : message);
}

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type(), space(H5Screate(H5S_SCALAR));
  const bool there = checked(H5Aexists(object, name)) > 0;
  const Handle attribute(there ? H5Aopen(object, name, H5P_DEFAULT)
                               : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  const char* value = text.c_str();
  checked(H5Awrite(attribute, type, &value));
}

std::string read_text(hid_t object, const char* name) {
  if (checked(H5Aexists(object, name)) == 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT)), type = text_type();
  const Handle kind(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  if (H5Tis_variable_str(kind) <= 0 || H5Sget_simple_extent_npoints(space) != 1)
    throw Trouble(std::string("its attribute '") + name + "' is no text");
  char* value = nullptr;
  checked(H5Aread(attribute, type, &value));
  const std::string text = value ? value : "";
  H5free_memory(value);
  return text;
}

std::string link_name(const std::string& name, std::set<std::string>& taken) {
  std::string link;
  for (const char c : name) link += c == '/' ? std::string("\u2215") : std::string(1, c);
  if (link.empty() || link == ".") link += "_";
  const std::string first = link;
  for (int k = 2; !taken.insert(link).second; ++k) link = first + "[" + std::to_string(k) + "]";
  return link;
}

}  // namespace taut::hdf5
