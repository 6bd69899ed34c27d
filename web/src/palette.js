import { css } from "./dom.js";

/** Okabe and Ito's colours, lightened for dark pages: distinct for all common kinds of colour vision. */
export const colours = 8;
/** Past these, hues a golden angle apart never come again. */
export function colour(k) {
  if (k < colours) return css(`--c${k}`);
  const hue = Math.round((k * 137.508 + 40) % 360);
  const light = document.documentElement.dataset.theme === "dark" ? 68 : 38;
  return `hsl(${hue}, 60%, ${light + (k % 3) * 6}%)`;
}
/** Past the palette, curves are dashed. */
export const dashes = (k) => [[], [8, 4], [2, 3], [10, 3, 2, 3]][Math.floor(k / colours) % 4];
