import { css } from "./dom.js";

/** Okabe and Ito's colours, lightened for dark pages: distinct for all common kinds of colour vision. */
export const colours = 8;
export const colour = (k) => css(`--c${k % colours}`);
/** Past the palette, curves are dashed. */
export const dashes = (k) => [[], [8, 4], [2, 3], [10, 3, 2, 3]][Math.floor(k / colours) % 4];
