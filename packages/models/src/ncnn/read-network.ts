import { type ParamLayer, parseParam } from './parse-param.ts';
import { readFrom, type WeightCursor } from './weight-cursor.ts';

/** A network read from ncnn files: operations in order of execution, connected by named blobs. */
export type Network = { input: string; output: string; operations: Operation[] };

export type Operation =
  | Convolution
  | { kind: 'prelu'; name: string; input: string; output: string; slopes: Float32Array }
  | { kind: 'concat'; name: string; inputs: string[]; output: string }
  /** Sum of two inputs, each multiplied by its coefficient. */
  | { kind: 'weighted-sum'; name: string; inputs: string[]; output: string; coefficients: number[] }
  | { kind: 'nearest'; name: string; input: string; output: string; scale: number }
  | { kind: 'pixel-shuffle'; name: string; input: string; output: string; block: number };

/** Square kernel, stride 1, zero padding. `weights`: [out][in][row][column]. `leak`: slope of a fused LeakyReLU. */
export type Convolution = {
  kind: 'convolution';
  name: string;
  input: string;
  output: string;
  inChannels: number;
  outChannels: number;
  kernel: number;
  pad: number;
  weights: Float32Array;
  bias: Float32Array;
  leak: number | undefined;
};

/** The two files of an ncnn network. `file`: name for error messages. */
type NcnnFiles = { param: { file: string; text: string }; bin: { file: string; bytes: Uint8Array } };

/**
 * Reads a network with one input and one output. Throws Error for unknown layers, or if the `.bin` has the wrong
 * length.
 */
export function readNetwork({ param, bin }: NcnnFiles): Network {
  const cursor = readFrom(bin.bytes, bin.file);
  const aliases = new Map<string, string>();
  const network: Network = { input: '', output: '', operations: [] };
  for (const layer of parseParam(param.text, param.file)) {
    const inputs = layer.inputs.map((blob) => {
      const source = aliases.get(blob);
      if (source === undefined) throw new Error(`${param.file}: ${layer.name} reads ${blob} before it exists`);
      return source;
    });
    const [input = ''] = inputs;
    const [output = ''] = layer.outputs;
    if (layer.type === 'Split') {
      for (const blob of layer.outputs) aliases.set(blob, input);
      continue;
    }
    if (layer.type === 'Input') network.input = output;
    else network.operations.push(readOperation({ ...layer, inputs }, cursor, param.file));
    aliases.set(output, output);
    network.output = output;
  }
  cursor.end();
  return network;
}

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

/** Converts a layer and its weights to an operation. Throws Error that names `file` if the layer isn't supported. */
function readOperation(layer: ParamLayer, weights: WeightCursor, file: string): Operation {
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
