import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { Range } from './fit-ranges.ts';

const taps = 9;

/**
 * How much of the square of a small error in each layer's channels reaches the output, layer by layer; errors are
 * taken as independent, and half of all values as negative.
 */
export function weighChannels(layers: ChainLayer[]): Float64Array[] {
  const weights: Float64Array[] = [];
  let behind = new Float64Array(layers.at(-1)?.outChannels ?? 0).fill(1);
  for (const layer of [...layers].reverse()) {
    weights.unshift(behind);
    const before = new Float64Array(layer.inChannels);
    layer.weights.forEach((weight, i) => {
      const out = Math.floor(i / taps / layer.inChannels);
      const slope = layer.slopes?.[out] ?? 1;
      const into = Math.floor(i / taps) % layer.inChannels;
      before[into] = (before[into] as number) + weight ** 2 * (behind[out] as number) * (0.5 + 0.5 * slope ** 2);
    });
    behind = before;
  }
  return weights;
}

/** Gives at most `slots` tails to the channels where they take most from the error at the output. */
export function chooseTails(choices: [Range, Range, Range][], weights: Float64Array, slots: number): Range[] {
  const tails = choices.map(() => 0);
  for (let left = slots; left > 0; ) {
    let best = { channel: -1, count: 0, gain: 0 };
    choices.forEach((ranges, channel) => {
      const now = tails[channel] as number;
      for (let count = now + 1; count <= Math.min(2, now + left); count++) {
        const saved = (ranges[now]?.error ?? 0) - (ranges[count]?.error ?? 0);
        const gain = ((weights[channel] as number) * saved) / (count - now);
        if (gain > best.gain) best = { channel, count, gain };
      }
    });
    if (best.channel < 0) break;
    left -= best.count - (tails[best.channel] as number);
    tails[best.channel] = best.count;
  }
  return choices.map((ranges, channel) => ranges[tails[channel] as number] as Range);
}
