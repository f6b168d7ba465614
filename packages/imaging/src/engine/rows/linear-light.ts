import { type Encoding, fromLinear, srgb, toLinear } from '../../color/encoding.ts';
import { type Depth, makeSamples, type Samples, whiteOf } from './row-stream.ts';

const tables: Partial<Record<Depth, Float32Array>> = {};

export function linearTable(depth: Depth): Float32Array {
  const white = whiteOf(depth);
  tables[depth] ??= Float32Array.from({ length: white + 1 }, (_, v) => toLinear(v / white));
  return tables[depth];
}

/** Returns tables with the linear light of every sample of red, green, and blue in an encoding. */
export function encodingTables(encoding: Encoding, depth: Depth): Float32Array[] {
  if (encoding === srgb) return encoding.curves.map(() => linearTable(depth));
  const white = whiteOf(depth);
  return encoding.curves.map((curve) => Float32Array.from({ length: white + 1 }, (_, v) => curve(v / white)));
}

/** Number of steps of linear light for each depth. Steps are finer than the samples. */
const lightSteps = { 8: 0xffff, 16: 0xfffff };
const inverses: Partial<Record<Depth, Samples>> = {};

/** Returns a table that maps linear light to sRGB samples: `samples[Math.round(light * steps)]`. */
export function sampleTable(depth: Depth): { samples: Samples; steps: number } {
  const steps = lightSteps[depth];
  inverses[depth] ??= makeSamples(depth, steps + 1).map((_, step) =>
    Math.round(fromLinear(step / steps) * whiteOf(depth)),
  );
  return { samples: inverses[depth], steps };
}
