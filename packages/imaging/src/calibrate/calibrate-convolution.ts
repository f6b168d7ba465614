import { type Inputs, quantizeConvolution, scaleWeights } from '@uprez/models/onnx/quantize-blocks';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { ConvolutionRecipe } from '@uprez/models/onnx/recipe';
import { shorten } from './fit-layer.ts';
import { type Bending, fitSamples } from './fit-samples.ts';
import { chooseWeightScales } from './round-weights.ts';
import { runFloatLayer, runQuantizedLayer } from './run-layer.ts';
import { type Places, takeTargets } from './sample-places.ts';

type ConvolutionInput = Bending & {
  layer: ChainLayer;
  /** Inputs by tile: planar in FP32, and as samples, channels last, with a border of one pixel. */
  floats: Float32Array[];
  samples: Uint8Array[];
  inputs: Inputs;
  places: Places;
  side: number;
};

const taps = 9;
/** Pixels per sampled pixel. */
const stride = 11;
const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Find the ranges and weight scales of a convolution, and return its outputs. */
export async function calibrateConvolution(from: ConvolutionInput) {
  const { layer, slope, floats, samples, inputs, places, side } = from;
  const slopes = new Float32Array(layer.outChannels).fill(slope);
  const { linear, bent } = await runFloatLayer({ ...layer, slopes }, floats, side);
  const fit = fitSamples(takeTargets(linear, places, layer.outChannels), from);
  const weights = scaleWeights(layer.weights, inputs.steps, fit.steps);
  const size = inputs.steps.length * taps;
  const weightScales = chooseWeightScales({ weights, size, powers: powersOf(samples, inputs.zeros) }).map(shorten);
  const part: ConvolutionRecipe = { ...fit, weightScales };
  const made = quantizeConvolution({ layer, part, inputs, leak: slope });
  return { part, plain: bent, served: await runQuantizedLayer(made, samples, side + 2) };
}

/** Sums of squares of each channel's samples relative to zero, repeated for each tap. */
function powersOf(tiles: Uint8Array[], zeros: number[]): Float64Array {
  const channels = zeros.length;
  const powers = new Float64Array(channels);
  for (const tile of tiles)
    for (let pixel = 0; pixel < tile.length; pixel += channels * stride)
      for (let c = 0; c < channels; c++) powers[c] = at(powers, c) + (at(tile, pixel + c) - at(zeros, c)) ** 2;
  return Float64Array.from({ length: channels * taps }, (_, i) => at(powers, Math.floor(i / taps)));
}
