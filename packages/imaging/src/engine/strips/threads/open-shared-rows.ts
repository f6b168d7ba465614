import type { RowStream, Samples } from '../../rows/row-stream.ts';
import { chunkRows } from './messages.ts';

/** Read a stream for several readers. Returns a function that resolves with the next rows of a reader. */
export function openSharedRows(source: RowStream, readers: number): (reader: number) => Promise<Samples> {
  const chunks: Promise<Samples>[] = [];
  const taken = Array<number>(readers).fill(0);
  let first = 0;
  let last: Promise<unknown> = Promise.resolve();
  const readNext = () => {
    const y = (first + chunks.length) * chunkRows;
    // Streams may reuse their arrays.
    const chunk = last.then(async () => (await source.read(Math.min(chunkRows, source.height - y))).slice());
    last = chunk;
    chunks.push(chunk);
  };
  return (reader) => {
    const at = taken[reader] as number;
    if (at === first + chunks.length) readNext();
    const chunk = chunks[at - first] as Promise<Samples>;
    taken[reader] = at + 1;
    for (; Math.min(...taken) > first; first++) void chunks.shift();
    return chunk;
  };
}
