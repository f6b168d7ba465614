import { scaleWeights } from '@uprez/models/onnx/quantize-blocks';
import type { QuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { ConvolutionRecipe } from '@uprez/models/onnx/recipe';
import { roundKernels } from '@uprez/models/onnx/round-kernels';
import { shorten } from './fit-layer.ts';
import { fitRanges } from './fit-ranges.ts';
import { chooseWeightScales } from './round-weights.ts';
import { runFloatLayer, runQuantizedLayer, type Table } from './run-layer.ts';
import { type Places, takeTargets } from './sample-places.ts';

type ConvolutionInput = {
  layer: ChainLayer;
  /** 1 where nothing bends it. */
  slope: number;
  /** What enters it: planar in plain arithmetic, and samples, channels last, of these steps. */
  floats: Float32Array[];
  samples: Uint8Array[];
  steps: number[];
  places: Places;
  side: number;
  zero: number;
};

const taps = 9;
const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Finds a convolution's ranges and the scales of its weights, and gives what it then gives. */
export async function calibrateConvolution(from: ConvolutionInput) {
  const { layer, slope, floats, samples, steps, places, side, zero } = from;
  const slopes = new Float32Array(layer.outChannels).fill(slope);
  const { linear, bent } = await runFloatLayer({ ...layer, slopes }, floats, side);
  const targets = takeTargets(linear, places, layer.outChannels);
  const outputs = fitSteps(targets, { slope, zero });
  const weights = scaleWeights({ weights: layer.weights, inputs: steps, outputs });
  const size = steps.length * taps;
  const powers = powersOf(samples, steps.length, zero);
  const weightScales = chooseWeightScales({ weights, size, powers }).map(shorten);
  const made: QuantizedLayer = {
    inChannels: steps.length,
    parts: [layer.outChannels],
    weights: roundKernels(weights, size, weightScales),
    weightScales: Float32Array.from(weightScales),
    bias: Int32Array.from(layer.bias, (bias, o) => Math.round(bias / at(outputs, o) / at(weightScales, o))),
    zeroIn: zero,
    zeroOut: zero,
    bends: undefined,
  };
  const result = await runQuantizedLayer(slope === 1 ? made : { ...made, leak: slope }, samples, side);
  const part: ConvolutionRecipe = { steps: outputs, weightScales };
  return { part, plain: bent, served: result };
}

/** A step for each channel of these values; `slope` bends them afterwards. */
export function fitSteps({ data, columns }: Table, shape: { slope: number; zero: number }): number[] {
  return Array.from({ length: columns }, (_, channel) => {
    const values = new Float64Array(data.length / columns);
    for (let i = 0; i < values.length; i++) values[i] = at(data, i * columns + channel);
    return shorten(fitRanges({ values, ...shape })[0].step);
  });
}

/** Sum of squares of each channel's samples above zero, once for each tap. */
function powersOf(tiles: Uint8Array[], channels: number, zero: number): Float64Array {
  const powers = new Float64Array(channels);
  for (const tile of tiles)
    for (let i = 0; i < tile.length; i++) {
      const channel = i % channels;
      powers[channel] = at(powers, channel) + (at(tile, i) - zero) ** 2;
    }
  return Float64Array.from({ length: channels * taps }, (_, i) => at(powers, Math.floor(i / taps)));
}
