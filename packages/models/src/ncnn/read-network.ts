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

type NcnnFiles = { param: { file: string; text: string }; bin: { file: string; bytes: Uint8Array } };

/**
 * Reads a network with one input and one output. Throws Error for unknown layers, or if the `.bin` has the wrong
 * length.
 */
export function readNetwork({ param, bin }: NcnnFiles): Network {
  const cursor = makeWeightCursor(bin.bytes, bin.file);
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

type PlacedLayer = ParamLayer & { file: string };

const toSingleEndpoints = ({ name, inputs: [input = ''], outputs: [output = ''] }: ParamLayer) => ({
  name,
  input,
  output,
});
const toJoinFields = (layer: ParamLayer) => ({
  name: layer.name,
  inputs: layer.inputs,
  output: layer.outputs[0] ?? '',
});
const readOption = (layer: ParamLayer, key: number) => layer.options.get(key)?.[0] ?? 0;

type Reader = {
  allows: number[];
  must?: Record<number, number[]>;
  read: (layer: PlacedLayer, weights: WeightCursor) => Operation;
};

/** `allows`: known option keys. `must`: allowed values by option key. An absent option has the value 0. */
const readers: Record<string, Reader> = {
  Convolution: { allows: [0, 1, 4, 5, 6, 9, 10], must: { 5: [1], 9: [0, 2] }, read: readConvolution },
  PReLU: {
    allows: [0],
    read: (layer, weights) => ({
      kind: 'prelu',
      ...toSingleEndpoints(layer),
      slopes: weights.floats(readOption(layer, 0), `the slopes of ${layer.name}`),
    }),
  },
  Concat: { allows: [0], must: { 0: [0] }, read: (layer) => ({ kind: 'concat', ...toJoinFields(layer) }) },
  Eltwise: { allows: [0, 1], must: { 0: [1] }, read: (layer) => readWeightedSum(layer, layer.options.get(1)) },
  BinaryOp: { allows: [0], must: { 0: [0] }, read: (layer) => readWeightedSum(layer) },
  Interp: {
    allows: [0, 1, 2],
    must: { 0: [1] },
    read: (layer) => {
      const scale = readOption(layer, 1);
      if (scale !== readOption(layer, 2))
        throw new Error(`${layer.file}: ${layer.name} scales height and width differently`);
      return { kind: 'nearest', ...toSingleEndpoints(layer), scale };
    },
  },
  PixelShuffle: {
    allows: [0],
    read: (layer) => ({ kind: 'pixel-shuffle', ...toSingleEndpoints(layer), block: readOption(layer, 0) }),
  },
};

function readOperation(layer: ParamLayer, weights: WeightCursor, file: string): Operation {
  const known = readers[layer.type];
  if (!known) throw new Error(`${file}: ${layer.name} is a ${layer.type}, which the converter does not know`);
  for (const key of layer.options.keys())
    if (!known.allows.includes(key)) throw new Error(`${file}: ${layer.name} has the unknown option ${key}`);
  for (const [key, values] of Object.entries(known.must ?? {})) {
    const value = readOption(layer, Number(key));
    if (!values.includes(value)) throw new Error(`${file}: ${layer.name} has the unknown option ${key}=${value}`);
  }
  return known.read({ ...layer, file }, weights);
}

function readConvolution(layer: PlacedLayer, weights: WeightCursor): Convolution {
  const [outChannels, kernel, count] = [readOption(layer, 0), readOption(layer, 1), readOption(layer, 6)];
  const inChannels = count / (outChannels * kernel * kernel);
  if (!Number.isInteger(inChannels))
    throw new Error(`${layer.file}: ${layer.name} has ${count} weights, no whole number of channels`);
  return {
    kind: 'convolution',
    ...toSingleEndpoints(layer),
    inChannels,
    outChannels,
    kernel,
    pad: readOption(layer, 4),
    weights: weights.tagged(count, `the weights of ${layer.name}`),
    bias: weights.floats(outChannels, `the bias of ${layer.name}`),
    leak: readOption(layer, 9) === 2 ? readOption(layer, 10) : undefined,
  };
}

function readWeightedSum(layer: PlacedLayer, coefficients = [1, 1]): Operation {
  if (layer.inputs.length !== 2 || coefficients.length !== 2)
    throw new Error(`${layer.file}: ${layer.name} adds other than two blobs with two coefficients`);
  return { kind: 'weighted-sum', ...toJoinFields(layer), coefficients };
}

/** A layer, from one line of a `.param` file. An array option (`-233xx=n,...`) has the key xx. */
type ParamLayer = {
  type: string;
  name: string;
  inputs: string[];
  outputs: string[];
  options: Map<number, number[]>;
};

const magic = '7767517';
const arrayKeyBase = -23300;

/**
 * Parses ncnn `.param` text: a magic number, the counts, then one line `type name #in #out blobs... key=value...` per
 * layer (https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure). Throws Error if the text is invalid. The
 * message starts with `file`.
 */
export function parseParam(text: string, file: string): ParamLayer[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines[0]?.trim() !== magic) throw new Error(`${file}: not an ncnn param file (magic ${magic} is missing)`);
  const [layerCount, blobCount] = (lines[1] ?? '').trim().split(/\s+/).map(Number);
  const layers = lines.slice(2).map((line) => parseLayer(line, file));
  if (layers.length !== layerCount)
    throw new Error(`${file}: announces ${layerCount} layers and holds ${layers.length}`);
  const blobs = layers.reduce((sum, layer) => sum + layer.outputs.length, 0);
  if (blobs !== blobCount) throw new Error(`${file}: announces ${blobCount} blobs and holds ${blobs}`);
  return layers;
}

function parseLayer(line: string, file: string): ParamLayer {
  const [type = '', name = '', ins = '', outs = '', ...rest] = line.trim().split(/\s+/);
  const [inCount, outCount] = [Number(ins), Number(outs)];
  const inputs = rest.slice(0, inCount);
  const outputs = rest.slice(inCount, inCount + outCount);
  if (!Number.isInteger(inCount + outCount) || outputs.length !== outCount || inputs.length !== inCount)
    throw new Error(`${file}: cannot read the layer line "${line.trim()}"`);
  const options = new Map(rest.slice(inCount + outCount).map((option) => parseOption(option, file)));
  return { type, name, inputs, outputs, options };
}

function parseOption(option: string, file: string): [number, number[]] {
  const [key = '', value = ''] = option.split('=');
  const id = Number(key);
  const values = value.split(',').map(Number);
  const isArray = id <= arrayKeyBase;
  const items = isArray ? values.slice(1) : values;
  const expected = isArray ? values[0] : 1;
  if (!Number.isInteger(id) || value === '' || values.some(Number.isNaN) || items.length !== expected)
    throw new Error(`${file}: cannot read the option "${option}"`);
  return [isArray ? arrayKeyBase - id : id, items];
}

/** Returns the value of an IEEE 754 half-precision number from its 16 bits. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Reads an ncnn `.bin` file sequentially. `what`: name of the values in error messages. */
type WeightCursor = {
  floats(count: number, what: string): Float32Array;
  /**
   * Reads a 4-byte tag and the values after it. Tag 0 means float32 values. Tag 0x01306B47 means half-precision values,
   * padded to 4 bytes.
   */
  tagged(count: number, what: string): Float32Array;
  /** Throws Error unless every byte has been read. */
  end(): void;
};

const halfTag = 0x01306b47;
// Lookup table for all half-precision values. With it, converting 17 million values takes 0.1 s.
const halfValues = Float32Array.from({ length: 0x10000 }, (_, bits) => halfToFloat(bits));

function makeWeightCursor(bytes: Uint8Array, file: string): WeightCursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;

  const take = (size: number, what: string) => {
    offset += size;
    if (offset > bytes.byteLength)
      throw new Error(`${file}: ends at byte ${bytes.byteLength}, inside ${what} (needs ${offset})`);
    return offset - size;
  };
  const floats = (count: number, what: string) => {
    const start = take(count * 4, what);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(start + i * 4, true);
    return values;
  };
  const halves = (count: number, what: string) => {
    const start = take(Math.ceil(count / 2) * 4, what);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = halfValues[view.getUint16(start + i * 2, true)] ?? 0;
    return values;
  };
  const tagged = (count: number, what: string) => {
    const tag = view.getUint32(take(4, what), true);
    if (tag === 0) return floats(count, what);
    if (tag === halfTag) return halves(count, what);
    throw new Error(`${file}: ${what} has the unknown storage tag 0x${tag.toString(16)}`);
  };
  const end = () => {
    const left = bytes.byteLength - offset;
    if (left > 0) throw new Error(`${file}: ${left} bytes are left over after the last layer`);
  };
  return { floats, tagged, end };
}
