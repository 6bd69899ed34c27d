#pragma once

/// taut: constrained mechanical systems whose constraints do not drift.
#include "taut/choice.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"
#include "taut/expression.hpp"
#include "taut/mechanism.hpp"
#include "taut/methods.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"
#include "taut/space.hpp"
#include "taut/stepping.hpp"
#include "taut/system.hpp"
