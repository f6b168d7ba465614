import { axesOf, type RowTensor, shapeOf } from '@uprez/models/streaming/row-nodes';
import type { Range } from '@uprez/models/streaming/row-ranges';
import { makeFloats, type StripTensor } from './strip-tensor.ts';

/** Rows `from` to `until` of a tensor that contains the rows `made`. */
export type Chunk = Range & { made: Range; tensor: StripTensor };

/** Queues rows of a float tensor until they are read. Rows stay in the arrays of the given tensors. */
export function openRowQueue(tensor: RowTensor, columns: number) {
  const chunks: Chunk[] = [];
  const push = (chunk: Chunk) => void chunks.push(chunk);
  /** Copies rows and drops the rows above. Rows that don't exist are 0. */
  const take = ({ from, until }: Range): StripTensor => {
    while (chunks[0] && chunks[0].until <= from) chunks.shift();
    const taken = makeFloats(shapeOf(tensor, until - from, columns));
    for (const chunk of chunks) {
      const rows = { from: Math.max(from, chunk.from), until: Math.min(until, chunk.until) };
      if (rows.from < rows.until) copyRows(tensor, { rows, chunk, taken, first: from });
    }
    return taken;
  };
  return { push, take };
}

type Copying = { rows: Range; chunk: Chunk; taken: StripTensor; first: number };

/** Copies rows between tensors, in one piece or in one per plane. */
function copyRows({ layout }: RowTensor, { rows, chunk: { made, tensor }, taken, first }: Copying): void {
  const [source, target] = [tensor.data as Float32Array, taken.data as Float32Array];
  const pieces = layout === 'planes' ? (tensor.dims[axesOf.planes.channels] ?? 1) : 1;
  const count = taken.dims[axesOf[layout].rows] ?? 1;
  const length = target.length / pieces / count;
  const madeCount = source.length / pieces / length;
  for (let piece = 0; piece < pieces; piece++) {
    const start = (piece * madeCount + rows.from - made.from) * length;
    const part = source.subarray(start, start + (rows.until - rows.from) * length);
    target.set(part, (piece * count + rows.from - first) * length);
  }
}
