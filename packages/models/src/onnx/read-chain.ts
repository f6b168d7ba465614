import onnxProto from 'onnx-proto';

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
 * Reads a network that is a chain of 3x3 convolutions with PReLU, a pixel shuffle and a nearest-neighbour skip
 * (SRVGGNetCompact) from its ONNX bytes. Throws when it is built otherwise.
 */
export function readChain(bytes: Uint8Array): ChainLayer[] {
  const { graph } = onnx.ModelProto.decode(bytes);
  const tensors = new Map((graph?.initializer ?? []).map((tensor) => [tensor.name, tensor]));
  const find = (name: string | undefined) => {
    const found = tensors.get(name);
    if (!found) throw new Error(`the network names no tensor ${name}`);
    return { dims: (found.dims ?? []).map(Number), values: floats(found.rawData ?? new Uint8Array(0)) };
  };
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

function floats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
}
