/** A figure in few digits: 3.2e-16, 0.0125, 12.5. */
export function brief(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(digits))).replace("-", "−");
  return value
    .toExponential(Math.max(0, digits - 1))
    .replace(/\.?0+e/, "e")
    .replace("e+", "e")
    .replaceAll("-", "−");
}

/** A time for reading off. */
export const clock_text = (t, span) => t.toFixed(Math.min(9, Math.max(0, Math.ceil(3 - Math.log10(span || 1))))) + " s";

export const counted = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** 1, 2 or 5 times a power of ten, about one `parts`-th of a span. */
export function nice_step(span, parts) {
  const raw = span / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of [1, 2, 5]) if (raw <= factor * power) return factor * power;
  return 10 * power;
}

/** The index of the last entry of a rising list that is not above a value; 0 if none is. */
export function last_not_above(list, value) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
