#pragma once

#include <string>

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// Puts the content of the files that <include> names in its place, wherever it stands. Files are looked for beside the
/// one that includes them, then beside the first. Throws InputError for a file that is not there or includes itself.
void resolve_includes(Element& root, const std::string& file);

/// The content of a <replicate> with `number` appended to its names.
Element replica(const Element& replicate, const std::string& number);

/// Puts bodies of other models in the place of <attach>, all names prefixed, and what else these models hold for them.
void resolve_attachments(Element& root, const std::string& file);

}  // namespace taut::robot
