#pragma once

/// What stands in a block `namespace taut TAUT_PUBLIC` may be used from outside a shared library; everything else in it
/// is hidden. The public headers have such blocks, and nothing else has.
#if defined(__GNUC__)
#define TAUT_PUBLIC __attribute__((visibility("default")))
#else
#define TAUT_PUBLIC
#endif
