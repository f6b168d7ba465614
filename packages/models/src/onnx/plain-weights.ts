import type { ChainLayer } from './read-chain.ts';
import type { VirtualChannel } from './virtual-channels.ts';

const taps = 9;

/** Unrounded weights of a layer between 8-bit channels, out x in x 9. Only products, which are the same on every machine. */
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

const limit = 127;

/** Nearest 8-bit weight. onnxruntime's fast kernels require -127 to 127. */
export const roundWeight = (weight: number, scale: number): number =>
  Math.max(-limit, Math.min(limit, Math.round(weight / scale)));
