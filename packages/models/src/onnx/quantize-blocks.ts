import type { QuantizedLayer } from './quantized-layer.ts';
import type { ChainLayer, DenseBlock, DenseNetwork } from './read-chain.ts';
import type { BlockRecipe, ConvolutionRecipe, DenseRecipe } from './recipe.ts';
import { quantizeWeight } from './virtual-channels.ts';

const taps = 9;
const numberAt = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** An INT8 dense block. The trunk that it reads and adds to contains floats. */
export type QuantizedBlock = {
  /** Factors that convert trunk values to samples relative to `zero`, by channel. */
  inverses: Float32Array;
  zero: number;
  convolutions: QuantizedLayer[];
  /** Amount that each sample step of the last convolution adds to the trunk, by channel. */
  gains: Float32Array;
};

export type InputQuantization = { steps: number[]; zeros: number[] };

/** Quantizes the groups that a recipe covers. Throws Error if the recipe doesn't fit the network. */
export function quantizeGroups(
  { groups, leak, share }: DenseNetwork,
  recipe: Pick<DenseRecipe, 'engine' | 'groups'>,
): QuantizedBlock[][] {
  return recipe.groups.map((blocks, g) =>
    blocks.map((part, b) => {
      const block = groups[g]?.[b];
      if (!block) throw new Error(`the recipe of ${recipe.engine} has a block too many: ${b} of group ${g}`);
      return quantizeBlock(block, part, { leak, share });
    }),
  );
}

function quantizeBlock(block: DenseBlock, part: BlockRecipe, by: { leak: number; share: number }): QuantizedBlock {
  const inputs: InputQuantization = { steps: [...part.steps], zeros: part.steps.map(() => part.zero) };
  const convolutions = block.map((layer, i): QuantizedLayer => {
    const own = part.convolutions[i];
    if (own?.steps.length !== layer.outChannels || inputs.steps.length !== layer.inChannels)
      throw new Error(`the recipe is for other convolutions than ${layer.inChannels} to ${layer.outChannels} channels`);
    const made = quantizeConvolution({ layer, part: own, inputs, leak: by.leak });
    addOutputs(inputs, own);
    return made;
  });
  return {
    inverses: Float32Array.from(part.steps, (step) => 1 / step),
    zero: part.zero,
    convolutions,
    gains: Float32Array.from(part.convolutions.at(-1)?.steps ?? [], (step) => by.share * step),
  };
}

/** Appends the steps and zero points of a convolution's output to the inputs of the next convolution. */
export function addOutputs({ steps, zeros }: InputQuantization, { steps: given, bent }: ConvolutionRecipe): void {
  for (const step of given) {
    steps.push(step * (bent?.share ?? 1));
    zeros.push(bent?.zero ?? 0);
  }
}

type ConvolutionInput = { layer: ChainLayer; part: ConvolutionRecipe; inputs: InputQuantization; leak: number };

/**
 * Quantizes a convolution. Its input must already include a border, because the convolution can pad all channels only
 * with the same value, and the zero points differ by channel.
 */
export function quantizeConvolution({ layer, part, inputs, leak }: ConvolutionInput): QuantizedLayer {
  const size = layer.inChannels * taps;
  const scaled = scaleWeights(layer.weights, inputs.steps, part.steps);
  const weights = roundKernels(scaled, size, part.weightScales);
  const bias = Int32Array.from(layer.bias, (value, o) => {
    const rounded = Math.round(value / numberAt(part.steps, o) / numberAt(part.weightScales, o));
    let zeros = 0;
    for (let i = 0; i < size; i++)
      zeros += numberAt(weights, o * size + i) * numberAt(inputs.zeros, Math.floor(i / taps));
    return rounded - zeros;
  });
  return {
    inChannels: layer.inChannels,
    parts: [layer.outChannels],
    weights,
    weightScales: Float32Array.from(part.weightScales),
    bias,
    zeroIn: 0,
    zeroOut: part.zero,
    bends: undefined,
    padded: true,
    ...(part.bent && { leak: { slope: leak, ...part.bent } }),
  };
}

/**
 * Returns the unrounded weights of a convolution, scaled by the steps of its input and output samples. Shape: out x in
 * x 9.
 */
export function scaleWeights(weights: Float32Array, inputs: number[], outputs: number[]): Float64Array {
  const scaled = new Float64Array(weights.length);
  let i = 0;
  for (const output of outputs)
    for (const input of inputs)
      for (const end = i + taps; i < end; i++) scaled[i] = (numberAt(weights, i) * input) / output;
  return scaled;
}

const side = 3;
/** Assumed correlation of neighboring samples of a channel. */
const neighborCorrelation = 0.9;
const feedback = openFeedback();

/**
 * Rounds 3x3 kernels tap by tap. Distributes the rounding error of each tap among the later taps according to their
 * correlation, which preserves smooth surfaces. Uses only basic operations on doubles, which give the same results on
 * every machine. `size`: number of weights per output channel.
 */
export function roundKernels(weights: Float64Array, size: number, scales: ArrayLike<number>): Int8Array {
  const rounded = new Int8Array(weights.length);
  const kernel = new Float64Array(taps);
  for (let start = 0; start < weights.length; start += taps) {
    const scale = scales[Math.floor(start / size)] as number;
    kernel.set(weights.subarray(start, start + taps));
    for (let k = 0; k < taps; k++) {
      const code = quantizeWeight(kernel[k] as number, scale);
      rounded[start + k] = code;
      const lost = (kernel[k] as number) - code * scale;
      for (let later = k + 1; later < taps; later++)
        kernel[later] = (kernel[later] as number) + lost * (feedback[k * taps + later] as number);
    }
  }
  return rounded;
}

/**
 * Returns, for each tap, the share of its error that each later tap takes over. The shares are the best linear
 * prediction from the correlations.
 */
function openFeedback(): Float64Array {
  const shares = new Float64Array(taps * taps);
  for (let k = 0; k < taps; k++) {
    const [first = 1, ...rest] = solveFirstColumn(remainingCorrelations(k));
    rest.forEach((value, i) => {
      shares[k * taps + k + 1 + i] = -value / first;
    });
  }
  return shares;
}

/** Doesn't use `Math.pow`, because its results differ between machines. */
function correlationPower(exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product *= neighborCorrelation;
  return product;
}

function remainingCorrelations(tap: number): number[][] {
  const left = Array.from({ length: taps - tap }, (_, i) => tap + i);
  const distance = (a: number, b: number) =>
    Math.abs(Math.floor(a / side) - Math.floor(b / side)) + Math.abs((a % side) - (b % side));
  return left.map((a) => left.map((b) => correlationPower(distance(a, b))));
}

/** Returns the first column of a matrix's inverse, using Gauss-Jordan elimination. */
function solveFirstColumn(matrix: number[][]): number[] {
  const rows = matrix.map((row, i) => [...row, i === 0 ? 1 : 0]);
  rows.forEach((pivot, p) => {
    const head = pivot[p] as number;
    pivot.forEach((value, j) => {
      pivot[j] = value / head;
    });
    rows.forEach((row, i) => {
      const factor = row[p] as number;
      if (i !== p)
        row.forEach((value, j) => {
          row[j] = value - factor * (pivot[j] as number);
        });
    });
  });
  return rows.map((row) => row.at(-1) as number);
}
