#include "model/table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "expression/written_functions.hpp"
#include "model/file_text.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

// ---- splines ------------------------------------------------------------------------------------

/// Slopes at the rows of the cubic spline whose second derivative is continuous: h₋ s₋ …, a tridiagonal system. Natural
/// at the ends; of a periodic one the first and the last row are one, and the system is solved with its corners
/// (Sherman and Morrison).
class SplineSlopes {
 public:
  explicit SplineSlopes(const TableRows& rows) : x_(rows.x), y_(rows.y), n_(rows.x.size()) {}

  std::vector<double> natural() const {
    std::vector<double> a(n_, 0.0), b(n_, 0.0), c(n_, 0.0), r(n_, 0.0);
    b[0] = b[n_ - 1] = 2;
    c[0] = a[n_ - 1] = 1;
    r[0] = 3 * slope(0);
    r[n_ - 1] = 3 * slope(n_ - 2);
    for (std::size_t k = 1; k + 1 < n_; ++k) set_row(k, k - 1, {a, b, c, r});
    return solve(a, b, c, r);
  }

  std::vector<double> periodic() const {
    const std::size_t m = n_ - 1;  // unknowns
    if (m < 3) return few_periodic();
    std::vector<double> a(m, 0.0), b(m, 0.0), c(m, 0.0), r(m, 0.0);
    for (std::size_t k = 0; k < m; ++k) set_row(k, k == 0 ? m - 1 : k - 1, {a, b, c, r});
    const double corner_first = a[0], corner_last = c[m - 1], gamma = -b[0];
    b[0] -= gamma;
    b[m - 1] -= corner_first * corner_last / gamma;
    std::vector<double> u(m, 0.0);
    u[0] = gamma;
    u[m - 1] = corner_last;
    a[0] = c[m - 1] = 0;
    std::vector<double> slopes = solve(a, b, c, r);
    const std::vector<double> z = solve(a, b, c, u);
    const double v = corner_first / gamma;
    const double factor = (slopes[0] + v * slopes[m - 1]) / (1 + z[0] + v * z[m - 1]);
    for (std::size_t k = 0; k < m; ++k) slopes[k] -= factor * z[k];
    slopes.push_back(slopes[0]);
    return slopes;
  }

 private:
  double width(std::size_t piece) const { return x_[piece + 1] - x_[piece]; }
  double slope(std::size_t piece) const { return (y_[piece + 1] - y_[piece]) / width(piece); }

  /// A tridiagonal system: what stands left of the diagonal, on it, right of it, and the right-hand side.
  struct Bands {
    std::vector<double>&a, &b, &c, &r;
  };
  /// h₊ s₋ + 2 (h₋ + h₊) s + h₋ s₊ = 3 (h₊ d₋ + h₋ d₊), between the piece before and the k-th.
  void set_row(std::size_t k, std::size_t before, const Bands& bands) const {
    const double h0 = width(before), h1 = width(k);
    bands.a[k] = h1;
    bands.b[k] = 2 * (h0 + h1);
    bands.c[k] = h0;
    bands.r[k] = 3 * (h1 * slope(before) + h0 * slope(k));
  }

  /// Two pieces: both slopes are equal and opposite ways of one equation.
  std::vector<double> few_periodic() const {
    if (n_ < 3) return std::vector<double>(n_, 0.0);
    const double h0 = width(0), h1 = width(1), d0 = slope(0), d1 = slope(1);
    // h₁ s₁ + 2 (h₀ + h₁) s₀ + h₀ s₁ = 3 (…): symmetric, so s₀ + … has the same right-hand side at both rows.
    const double at0 = 3 * (h0 * d1 + h1 * d0), at1 = 3 * (h1 * d0 + h0 * d1), sum = h0 + h1;
    const double s0 = (2 * at0 - at1) / (3 * sum), s1 = (2 * at1 - at0) / (3 * sum);
    return {s0, s1, s0};
  }

  static std::vector<double> solve(const std::vector<double>& a, std::vector<double> b, const std::vector<double>& c,
                                   std::vector<double> r) {
    for (std::size_t k = 1; k < b.size(); ++k) {
      const double factor = a[k] / b[k - 1];
      b[k] -= factor * c[k - 1];
      r[k] -= factor * r[k - 1];
    }
    for (std::size_t k = b.size(); k-- > 0;) r[k] = (r[k] - (k + 1 < b.size() ? c[k] * r[k + 1] : 0)) / b[k];
    return r;
  }

  const std::vector<double>&x_, &y_;
  std::size_t n_;
};

/// y₀ + u s₀ + u² (3 d − 2 s₀ − s₁)/h + u³ (s₀ + s₁ − 2 d)/h², with u from the beginning of the piece.
Expression piece(const TableRows& rows, std::size_t k, double s0, double s1, const Expression& of) {
  const double h = rows.x[k + 1] - rows.x[k], d = (rows.y[k + 1] - rows.y[k]) / h;
  const Expression u = of - rows.x[k];
  const double second = (3 * d - 2 * s0 - s1) / h, third = (s0 + s1 - 2 * d) / (h * h);
  return rows.y[k] + u * (s0 + u * (second + u * third));
}

/// Each piece counts between its ends. Where pieces meet, the argument less the place of the row is zero: that is where
/// steps end, and up to there each piece goes on smoothly.
Expression sum_of_pieces(const TableRows& rows, const std::vector<double>& slopes, bool cubic, const Expression& of) {
  Expression before = is_less(of, rows.x.front()), sum = before * rows.y.front();
  for (std::size_t k = 0; k + 1 < rows.x.size(); ++k) {
    const double d = (rows.y[k + 1] - rows.y[k]) / (rows.x[k + 1] - rows.x[k]);
    const Expression until = is_less(of, rows.x[k + 1]);
    sum += (until - before) * (cubic ? piece(rows, k, slopes[k], slopes[k + 1], of) : piece(rows, k, d, d, of));
    before = until;
  }
  return sum + (1 - before) * rows.y.back();
}

// ---- reading ------------------------------------------------------------------------------------

struct GivenTable {
  std::optional<Value> file, rows, of;
  bool cubic = false, periodic = false;
};

constexpr const char* write_a_table = "write {table: lift.csv, of: t}, or rows: [[0, 0], [1, 2]] in place of a file";

const Keys<GivenTable> table_keys{{
    {"table", [](const Value& v, GivenTable& table) { table.file = v; }},
    {"rows", [](const Value& v, GivenTable& table) { table.rows = v; }},
    {"of", [](const Value& v, GivenTable& table) { table.of = v; }, write_a_table},
    {"kind",
     [](const Value& v, GivenTable& table) {
       const std::string& kind = v.scalar().text;
       if (kind != "linear" && kind != "cubic")
         v.refuse(fmt::format("{} is '{}'", v.what(), kind), "write linear or cubic");
       table.cubic = kind == "cubic";
     }},
    {"periodic", [](const Value& v, GivenTable& table) { table.periodic = v.flag(); }},
}};

/// A number at the beginning of a text, with what separates it from the next.
std::optional<double> take_number(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t,;");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Two numbers to a line; lines that begin with # and a heading are passed over.
TableRows read_rows(const std::string& text, const std::string& path) {
  TableRows rows;
  int line = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view row = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
    if (row.find_first_not_of(" \t") == std::string_view::npos || row[row.find_first_not_of(" \t")] == '#') continue;
    const auto x = take_number(row), y = take_number(row);
    if (!x && rows.x.empty()) continue;
    if (!x || !y || row.find_first_not_of(" \t") != std::string_view::npos)
      throw InputError({path, line, 1}, "a row of a table is two numbers",
                       "write them with a comma between: 0.5, 1.25");
    rows.x.push_back(*x);
    rows.y.push_back(*y);
  }
  return rows;
}

TableRows rows_of_file(const Value& value, std::vector<std::string>& files) {
  const std::string given = value.called("the file of a table").filled().text;
  const std::string path = (std::filesystem::path(value.place().file.text()).parent_path() / given).string();
  files.push_back(path);
  try {
    return read_rows(file_text(path), path);
  } catch (const InputError& error) {
    if (error.place().line > 0) throw;
    value.refuse(fmt::format("the table '{}' cannot be read: {}", given, error.message()), error.remedy());
  }
}

TableRows rows_in_place(const Value& value) {
  TableRows rows;
  for (const yaml::Node& item : expect_list(value.node(), value.what(), value.context().file).items) {
    const std::vector<Expression> row = value.beside(item, "a row of a table").vector(context::initial);
    if (row.size() != 2 || !row[0].is_constant() || !row[1].is_constant())
      value.context().refuse(item, "a row of a table is two numbers", "write [0.5, 1.25]");
    rows.x.push_back(row[0].value());
    rows.y.push_back(row[1].value());
  }
  return rows;
}

void check_rows(const Value& value, const TableRows& rows, const GivenTable& given) {
  if (rows.x.size() < 2)
    value.refuse(fmt::format("the table has {}", counted(rows.x.size(), "row")), "give two rows or more");
  for (std::size_t k = 0; k < rows.x.size(); ++k) {
    if (!std::isfinite(rows.x[k]) || !std::isfinite(rows.y[k]))
      value.refuse(fmt::format("row {} of the table is not finite", k + 1), "give numbers");
    if (k > 0 && !(rows.x[k] > rows.x[k - 1]))
      value.refuse(fmt::format("row {} of the table, at {:g}, is not behind the one before, at {:g}", k + 1, rows.x[k],
                               rows.x[k - 1]),
                   "sort the rows, and let none stand twice");
  }
  if (given.periodic && rows.y.front() != rows.y.back())
    value.refuse(
        fmt::format("the table is periodic, but begins with {:g} and ends with {:g}", rows.y.front(), rows.y.back()),
        "let its last row have the value of the first, a period later");
}

}  // namespace

Expression piecewise(const TableRows& rows, const Expression& of, bool cubic) {
  return sum_of_pieces(rows, cubic ? SplineSlopes(rows).natural() : std::vector<double>{}, cubic, of);
}

/// The argument is led back to the period about its middle by the angle of a point on a circle.
Expression periodic_piecewise(const TableRows& rows, const Expression& of, bool cubic) {
  const double period = rows.x.back() - rows.x.front(), middle = 0.5 * (rows.x.front() + rows.x.back());
  const Expression angle = (2 * std::numbers::pi / period) * (of - middle);
  const Expression inside = middle + (period / (2 * std::numbers::pi)) * atan2(sin(angle), cos(angle));
  return sum_of_pieces(rows, cubic ? SplineSlopes(rows).periodic() : std::vector<double>{}, cubic, inside);
}

Expression read_table(const Value& value, std::vector<std::string>& files) {
  GivenTable given;
  read_keys(value, table_keys, given);
  if (given.file.has_value() == given.rows.has_value())
    value.refuse(fmt::format("{} {}", value.what(), given.file ? "has a table and rows" : "lacks 'table'"),
                 write_a_table);
  const TableRows rows = given.file ? rows_of_file(*given.file, files) : rows_in_place(*given.rows);
  check_rows(given.file ? *given.file : *given.rows, rows, given);
  const Expression of = given.of->formula(context::definition);
  return given.periodic ? periodic_piecewise(rows, of, given.cubic) : piecewise(rows, of, given.cubic);
}

}  // namespace taut
