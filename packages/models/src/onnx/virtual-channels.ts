import type { ChainLayer } from './read-chain.ts';
import type { LayerRecipe } from './recipe.ts';
import { paddedColors } from './write-quantized-chain.ts';

/**
 * An 8-bit channel: it carries channel `source` of the network, or the part of it beyond the range of another.
 * `multiplier` takes the source's value before its PReLU to samples; `value` is what one sample above zero adds to
 * the source's value behind it; `bend` is 1 - slope of the channel's own PReLU.
 */
export type VirtualChannel = { source: number; multiplier: number; value: number; bend: number };

/** The image's own channels: bytes. */
export const pixelChannels = (): VirtualChannel[] =>
  Array.from({ length: paddedColors }, (_, source) => ({ source, multiplier: 0, value: 1 / 255, bend: 0 }));

/**
 * A slope above 1 is turned: PReLU(x) = -slope x PReLU'(-x) with the slope 1/slope, so that every `bend` is positive.
 * `sign`: what the value is multiplied with before; `gain`: behind.
 */
export const turned = (slope: number) =>
  slope > 1 ? { sign: -1, gain: -slope, slope: 1 / slope } : { sign: 1, gain: 1, slope };

/** A layer's outputs as they are, in plain arithmetic. */
export const plainChannels = ({ outChannels }: ChainLayer): VirtualChannel[] =>
  Array.from({ length: outChannels }, (_, source) => ({ source, multiplier: 1, value: 1, bend: 0 }));

/** The 8-bit channels that a layer gives, in order. */
export function virtualChannels(layer: ChainLayer, { steps, tails }: LayerRecipe): VirtualChannel[] {
  return steps.map((step, i) => {
    const tail = i < layer.outChannels ? undefined : tails[i - layer.outChannels];
    const source = tail ? tail[0] : i;
    const { sign, gain, slope } = turned(layer.slopes?.[source] ?? 1);
    if (!tail) return { source, multiplier: sign / step, value: step * gain, bend: 1 - slope };
    const [, side] = tail;
    return { source, multiplier: (side * sign) / step, value: side * step * gain * (side > 0 ? 1 : slope), bend: 1 };
  });
}
