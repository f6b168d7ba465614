import type { Convolution, Operation } from './network.ts';
import type { ParamLayer } from './parse-param.ts';
import type { WeightCursor } from './weight-cursor.ts';

/** `file`: name for error messages. */
type PlacedLayer = ParamLayer & { file: string };

const ends = ({ name, inputs: [input = ''], outputs: [output = ''] }: ParamLayer) => ({ name, input, output });
const joins = (layer: ParamLayer) => ({ name: layer.name, inputs: layer.inputs, output: layer.outputs[0] ?? '' });
const option = (layer: ParamLayer, key: number) => layer.options.get(key)?.[0] ?? 0;

type Reader = {
  allows: number[];
  must?: Record<number, number[]>;
  read: (layer: PlacedLayer, weights: WeightCursor) => Operation;
};

/** `allows`: known option keys. `must`: allowed values of an option (0 when absent). */
const readers: Record<string, Reader> = {
  Convolution: { allows: [0, 1, 4, 5, 6, 9, 10], must: { 5: [1], 9: [0, 2] }, read: readConvolution },
  PReLU: {
    allows: [0],
    read: (layer, weights) => ({
      kind: 'prelu',
      ...ends(layer),
      slopes: weights.floats(option(layer, 0), `the slopes of ${layer.name}`),
    }),
  },
  Concat: { allows: [0], must: { 0: [0] }, read: (layer) => ({ kind: 'concat', ...joins(layer) }) },
  Eltwise: { allows: [0, 1], must: { 0: [1] }, read: (layer) => weightedSum(layer, layer.options.get(1)) },
  BinaryOp: { allows: [0], must: { 0: [0] }, read: (layer) => weightedSum(layer) },
  Interp: {
    allows: [0, 1, 2],
    must: { 0: [1] },
    read: (layer) => {
      const scale = option(layer, 1);
      if (scale !== option(layer, 2))
        throw new Error(`${layer.file}: ${layer.name} scales height and width differently`);
      return { kind: 'nearest', ...ends(layer), scale };
    },
  },
  PixelShuffle: { allows: [0], read: (layer) => ({ kind: 'pixel-shuffle', ...ends(layer), block: option(layer, 0) }) },
};

/** Convert a layer and its weights to an operation. Throws an error that names `file` for unsupported layers. */
export function readOperation(layer: ParamLayer, weights: WeightCursor, file: string): Operation {
  const known = readers[layer.type];
  if (!known) throw new Error(`${file}: ${layer.name} is a ${layer.type}, which the converter does not know`);
  for (const key of layer.options.keys())
    if (!known.allows.includes(key)) throw new Error(`${file}: ${layer.name} has the unknown option ${key}`);
  for (const [key, values] of Object.entries(known.must ?? {})) {
    const value = option(layer, Number(key));
    if (!values.includes(value)) throw new Error(`${file}: ${layer.name} has the unknown option ${key}=${value}`);
  }
  return known.read({ ...layer, file }, weights);
}

function readConvolution(layer: PlacedLayer, weights: WeightCursor): Convolution {
  const [outChannels, kernel, count] = [option(layer, 0), option(layer, 1), option(layer, 6)];
  const inChannels = count / (outChannels * kernel * kernel);
  if (!Number.isInteger(inChannels))
    throw new Error(`${layer.file}: ${layer.name} has ${count} weights, no whole number of channels`);
  return {
    kind: 'convolution',
    ...ends(layer),
    inChannels,
    outChannels,
    kernel,
    pad: option(layer, 4),
    weights: weights.tagged(count, `the weights of ${layer.name}`),
    bias: weights.floats(outChannels, `the bias of ${layer.name}`),
    leak: option(layer, 9) === 2 ? option(layer, 10) : undefined,
  };
}

function weightedSum(layer: PlacedLayer, coefficients = [1, 1]): Operation {
  if (layer.inputs.length !== 2 || coefficients.length !== 2)
    throw new Error(`${layer.file}: ${layer.name} adds other than two blobs with two coefficients`);
  return { kind: 'weighted-sum', ...joins(layer), coefficients };
}
