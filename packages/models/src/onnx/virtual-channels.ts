import type { ChainLayer } from './read-chain.ts';
import type { LayerRecipe } from './recipe.ts';
import { paddedColors } from './write-quantized-chain.ts';

/**
 * An 8-bit channel. Contains the network's channel `source`, or the part of it that exceeds the range of another 8-bit
 * channel. `multiplier` converts a value before the PReLU to samples. `value` is the value of one sample step after the
 * PReLU. `bend` is 1 - slope of this channel's own PReLU.
 */
export type VirtualChannel = { source: number; multiplier: number; value: number; bend: number };

export const pixelChannels = (): VirtualChannel[] =>
  Array.from({ length: paddedColors }, (_, source) => ({ source, multiplier: 0, value: 1 / 255, bend: 0 }));

/**
 * Replaces a slope above 1 with its reciprocal, so `bend` is never negative: PReLU(x) = -slope x PReLU'(-x), where
 * PReLU' has the slope 1/slope. Values are multiplied by `sign` before the PReLU, and by `gain` after it.
 */
export const normalizeSlope = (slope: number) =>
  slope > 1 ? { sign: -1, gain: -slope, slope: 1 / slope } : { sign: 1, gain: 1, slope };

/** Returns the output channels of a layer that stays FP32. */
export const plainChannels = ({ outChannels }: ChainLayer): VirtualChannel[] =>
  Array.from({ length: outChannels }, (_, source) => ({ source, multiplier: 1, value: 1, bend: 0 }));

/** Returns the 8-bit output channels of a layer, in order. */
export function virtualChannels(layer: ChainLayer, { steps, tails }: LayerRecipe): VirtualChannel[] {
  return steps.map((step, i) => {
    const tail = i < layer.outChannels ? undefined : tails[i - layer.outChannels];
    const source = tail ? tail[0] : i;
    const { sign, gain, slope } = normalizeSlope(layer.slopes?.[source] ?? 1);
    if (!tail) return { source, multiplier: sign / step, value: step * gain, bend: 1 - slope };
    const [, side] = tail;
    return { source, multiplier: (side * sign) / step, value: side * step * gain * (side > 0 ? 1 : slope), bend: 1 };
  });
}

const taps = 9;

/**
 * Returns the unrounded weights of a layer between 8-bit channels. Shape: out x in x 9. Uses only products, which are
 * the same on every machine.
 */
export function plainWeights(layer: ChainLayer, inputs: VirtualChannel[], outputs: VirtualChannel[]): Float64Array {
  const size = inputs.length * taps;
  const weights = new Float64Array(outputs.length * size);
  outputs.forEach(({ source: out, multiplier }, o) => {
    inputs.forEach(({ source, value }, i) => {
      if (source >= layer.inChannels) return;
      const from = (out * layer.inChannels + source) * taps;
      for (let k = 0; k < taps; k++)
        weights[o * size + i * taps + k] = (layer.weights[from + k] as number) * value * multiplier;
    });
  });
  return weights;
}

const maxWeight = 127;

/** Returns the nearest 8-bit weight, clamped to -127 to 127 as onnxruntime's fast kernels require. */
export const quantizeWeight = (weight: number, scale: number): number =>
  Math.max(-maxWeight, Math.min(maxWeight, Math.round(weight / scale)));
