/** One line of a `.param` file. The key of an array (`-233xx=n,...`) is xx. */
export type ParamLayer = {
  type: string;
  name: string;
  inputs: string[];
  outputs: string[];
  options: Map<number, number[]>;
};

const magic = '7767517';
const arrayKeyBase = -23300;

/**
 * Parses ncnn `.param` text: magic, counts, then `type name #in #out blobs... key=value...` per layer
 * (https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure). Throws Error, starting with `file`, if the
 * text is invalid.
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
