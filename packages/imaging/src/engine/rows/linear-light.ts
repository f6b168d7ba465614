import { type Depth, makeSamples, type Samples, whiteOf } from './row-stream.ts';

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

/** Steps of light 0-1 fine enough that none is a whole sample of the depth. */
const stepsOf = { 8: 0xffff, 16: 0xfffff };
const inverses: Partial<Record<Depth, Samples>> = {};

/** The sample of a depth for some light: that of `samples` at `steps` times the light, rounded. */
export function sampleTable(depth: Depth): { samples: Samples; steps: number } {
  const steps = stepsOf[depth];
  inverses[depth] ??= makeSamples(depth, steps + 1).map((_, step) =>
    Math.round(fromLinear(step / steps) * whiteOf(depth)),
  );
  return { samples: inverses[depth], steps };
}
