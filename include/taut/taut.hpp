#pragma once

/// taut: constrained mechanical systems whose constraints do not drift.
///
/// Threads: a `const Model` may be read by any number of threads at once, and so may everything that is a plain value
/// (options, runs, summaries). Building a model, and formulas of its graph, is for one thread. A System has workspaces
/// and belongs to one thread; simulate() and compare() make their own, so that they may run in several threads with one
/// model.
#include "taut/choice.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"
#include "taut/expression.hpp"
#include "taut/first_order.hpp"
#include "taut/mechanism.hpp"
#include "taut/methods.hpp"
#include "taut/model.hpp"
#include "taut/questions.hpp"
#include "taut/simulation.hpp"
#include "taut/space.hpp"
#include "taut/stepping.hpp"
#include "taut/system.hpp"
