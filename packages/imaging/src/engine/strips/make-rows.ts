import type { History } from '@uprez/models/streaming/plan-histories';
import { shapeOf } from '@uprez/models/streaming/row-nodes';
import * as ort from 'onnxruntime-node';

const lengthOf = (dims: readonly number[]) => dims.reduce((product, side) => product * side, 1);

/** Allocate floats of 0. */
export const makeFloats = (dims: number[]) => new ort.Tensor('float32', new Float32Array(lengthOf(dims)), dims);

/** Make rows of a history. They have the values of its edge. */
export function makeRows({ tensor, edge }: History, rows: number, columns: number): ort.Tensor {
  const dims = shapeOf(tensor, rows, columns);
  if (tensor.element === 'float') return makeFloats(dims);
  const samples = new Uint8Array(lengthOf(dims));
  if (edge) for (let i = 0; i < samples.length; i += edge.length) samples.set(edge, i);
  return new ort.Tensor('uint8', samples, dims);
}
