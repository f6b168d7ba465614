import type { History } from '@uprez/models/streaming/lay-out-strip';
import { shapeOf } from '@uprez/models/streaming/row-nodes';

type TensorData = { float32: Float32Array; uint8: Uint8Array; int64: BigInt64Array };

/** A tensor in any ONNX runtime. The server and browser runtimes have their own classes. */
export type StripTensor = {
  readonly type: keyof TensorData;
  readonly data: TensorData[keyof TensorData];
  readonly dims: readonly number[];
};

export type StripTensors = Record<string, StripTensor>;

/**
 * Runs a loaded strip model. Tensors in `outputs` may be written in place. Returns all outputs, with new arrays for
 * outputs that are null.
 */
export type RunStrip = (inputs: StripTensors, outputs: Record<string, StripTensor | null>) => Promise<StripTensors>;

const elementCountOf = (dims: readonly number[]) => dims.reduce((product, side) => product * side, 1);

/** Creates a float tensor of zeros. */
export const makeFloatTensor = (dims: number[]): StripTensor => ({
  type: 'float32',
  data: new Float32Array(elementCountOf(dims)),
  dims,
});

/** Creates rows for a history. Byte rows are filled with the values of its edge, and float rows with 0. */
export function makeRows({ tensor, edge }: History, rows: number, columns: number): StripTensor {
  const dims = shapeOf(tensor, rows, columns);
  if (tensor.element === 'float') return makeFloatTensor(dims);
  const samples = new Uint8Array(elementCountOf(dims));
  if (edge) for (let i = 0; i < samples.length; i += edge.length) samples.set(edge, i);
  return { type: 'uint8', data: samples, dims };
}
