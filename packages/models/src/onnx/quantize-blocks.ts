import type { QuantizedLayer } from './quantized-layer.ts';
import type { DenseBlock, DenseNetwork } from './read-dense-network.ts';
import type { BlockRecipe, DenseRecipe } from './recipe.ts';
import { roundKernels } from './round-kernels.ts';

const taps = 9;
const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** A dense block in 8-bit arithmetic on a trunk of floats. */
export type QuantizedBlock = {
  /** What a value of each channel of the trunk is multiplied with to become a sample. */
  inverses: Float32Array;
  convolutions: QuantizedLayer[];
  /** What a sample of the last convolution adds to the trunk. */
  gains: Float32Array;
};

type Conversion = { weights: Float32Array; inputs: ArrayLike<number>; outputs: ArrayLike<number> };

/** A convolution's weights between samples of these steps, unrounded: out x in x 9. */
export function scaleWeights({ weights, inputs, outputs }: Conversion): Float64Array {
  const size = inputs.length * taps;
  return Float64Array.from(weights, (weight, i) => {
    const [out, into] = [Math.floor(i / size), Math.floor((i % size) / taps)];
    return (weight * at(inputs, into)) / at(outputs, out);
  });
}

/** The groups that `recipe` names, in 8-bit arithmetic. Throws when it does not fit the network. */
export function quantizeGroups(
  { groups, leak, share }: DenseNetwork,
  recipe: Pick<DenseRecipe, 'engine' | 'zero' | 'groups'>,
): QuantizedBlock[][] {
  return recipe.groups.map((blocks, g) =>
    blocks.map((part, b) => {
      const block = groups[g]?.[b];
      if (!block) throw new Error(`the recipe of ${recipe.engine} has a block too many: ${b} of group ${g}`);
      return quantizeBlock(block, part, { zero: recipe.zero, leak, share });
    }),
  );
}

type Shared = { zero: number; leak: number; share: number };

function quantizeBlock(block: DenseBlock, part: BlockRecipe, { zero, leak, share }: Shared): QuantizedBlock {
  const inputs = [...part.steps];
  const convolutions = block.map((layer, i): QuantizedLayer => {
    const own = part.convolutions[i];
    if (own?.steps.length !== layer.outChannels || inputs.length !== layer.inChannels)
      throw new Error(`the recipe is for other convolutions than ${layer.inChannels} to ${layer.outChannels} channels`);
    const scaled = scaleWeights({ weights: layer.weights, inputs, outputs: own.steps });
    const made: QuantizedLayer = {
      inChannels: layer.inChannels,
      parts: [layer.outChannels],
      weights: roundKernels(scaled, inputs.length * taps, own.weightScales),
      weightScales: Float32Array.from(own.weightScales),
      bias: Int32Array.from(layer.bias, (bias, o) => Math.round(bias / at(own.steps, o) / at(own.weightScales, o))),
      zeroIn: zero,
      zeroOut: zero,
      bends: undefined,
      ...(i < block.length - 1 && { leak }),
    };
    inputs.push(...own.steps);
    return made;
  });
  return {
    inverses: Float32Array.from(part.steps, (step) => 1 / step),
    convolutions,
    gains: Float32Array.from(part.convolutions.at(-1)?.steps ?? [], (step) => share * step),
  };
}
