/** Converts an sRGB sample in 0-1 to linear light in 0-1 (IEC 61966-2-1). */
export const toLinear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
/** Converts linear light in 0-1 to an sRGB sample in 0-1. */
export const fromLinear = (l: number): number => (l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055);
