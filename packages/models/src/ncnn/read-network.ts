import type { Network } from './network.ts';
import { parseParam } from './parse-param.ts';
import { readOperation } from './read-operation.ts';
import { readFrom } from './weight-cursor.ts';

/** The two files of an ncnn network. `file`: name for error messages. */
type NcnnFiles = { param: { file: string; text: string }; bin: { file: string; bytes: Uint8Array } };

/** Read a network with one input and one output. Throws Error for unknown layers and other lengths of the `.bin`. */
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
