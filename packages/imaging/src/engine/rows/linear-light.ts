import { type Depth, whiteOf } from './row-stream.ts';

/** Light 0-1 of an sRGB sample 0-1 (IEC 61966-2-1). */
export const toLinear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
/** The sRGB sample 0-1 of some light 0-1. */
export const fromLinear = (l: number): number => (l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055);

const tables: Partial<Record<Depth, Float32Array>> = {};

/** Light 0-1 of every sample of a depth. */
export function linearTable(depth: Depth): Float32Array {
  const white = whiteOf(depth);
  tables[depth] ??= Float32Array.from({ length: white + 1 }, (_, v) => toLinear(v / white));
  return tables[depth];
}
