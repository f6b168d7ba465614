import onnxProto from 'onnx-proto';
import { readInitializers } from './read-initializers.ts';

const { onnx } = onnxProto;

/** A 3x3 convolution and, but for the last, the PReLU behind it. `weights`: out x in x 3 x 3. */
export type ChainLayer = {
  inChannels: number;
  outChannels: number;
  weights: Float32Array;
  bias: Float32Array;
  slopes: Float32Array | undefined;
};

const tail = ['DepthToSpace', 'Resize', 'Add', 'Clip'];

/**
 * Reads a network that is a chain of 3x3 convolutions with PReLU, a pixel shuffle and a nearest-neighbor skip
 * (SRVGGNetCompact) from its ONNX bytes. Throws when it is built otherwise.
 */
export function readChain(bytes: Uint8Array): ChainLayer[] {
  const { graph } = onnx.ModelProto.decode(bytes);
  const find = readInitializers(graph?.initializer ?? []);
  const layers: ChainLayer[] = [];
  for (const { opType, input } of graph?.node ?? []) {
    const last = layers.at(-1);
    if (opType === 'Conv') {
      const { dims, values } = find(input?.[1]);
      const [outChannels, inChannels, ...kernel] = dims;
      if (!outChannels || !inChannels || kernel.join() !== '3,3') throw new Error('a convolution is not 3x3');
      layers.push({ inChannels, outChannels, weights: values, bias: find(input?.[2]).values, slopes: undefined });
    } else if (opType === 'PRelu' && last && !last.slopes) last.slopes = find(input?.[1]).values;
    else if (!tail.includes(opType ?? '')) throw new Error(`${opType} has no place in a chain of convolutions`);
  }
  return layers;
}
