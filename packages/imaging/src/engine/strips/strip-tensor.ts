import type { History } from '@uprez/models/streaming/lay-out-strip';
import { shapeOf } from '@uprez/models/streaming/row-nodes';

type Samples = { float32: Float32Array; uint8: Uint8Array; int64: BigInt64Array };

/** A tensor of any runtime: those of servers and of browsers have classes of their own. */
export type StripTensor = {
  readonly type: keyof Samples;
  readonly data: Samples[keyof Samples];
  readonly dims: readonly number[];
};

export type StripTensors = Record<string, StripTensor>;

/**
 * Run a loaded strip model. Outputs with a tensor may be written into it. The results are all outputs, with new arrays for those that
 * are null.
 */
export type RunStrip = (inputs: StripTensors, outputs: Record<string, StripTensor | null>) => Promise<StripTensors>;

const lengthOf = (dims: readonly number[]) => dims.reduce((product, side) => product * side, 1);

/** Allocate floats of 0. */
export const makeFloats = (dims: number[]): StripTensor => ({
  type: 'float32',
  data: new Float32Array(lengthOf(dims)),
  dims,
});

/** Make rows of a history. They have the values of its edge. */
export function makeRows({ tensor, edge }: History, rows: number, columns: number): StripTensor {
  const dims = shapeOf(tensor, rows, columns);
  if (tensor.element === 'float') return makeFloats(dims);
  const samples = new Uint8Array(lengthOf(dims));
  if (edge) for (let i = 0; i < samples.length; i += edge.length) samples.set(edge, i);
  return { type: 'uint8', data: samples, dims };
}
