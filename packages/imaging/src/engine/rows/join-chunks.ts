import { makeSamples, type Samples } from './row-stream.ts';

/** A `read` of row streams from a function that answers the next rows, any number of them but none empty. */
export function joinChunks({ depth, rowLength }: { depth: 8 | 16; rowLength: number }, next: () => Promise<Samples>) {
  let ready = makeSamples(depth, 0);
  return async (count: number): Promise<Samples> => {
    const rows = makeSamples(depth, count * rowLength);
    for (let done = 0; done < rows.length; ) {
      if (ready.length === 0) ready = await next();
      const part = ready.subarray(0, rows.length - done);
      rows.set(part, done);
      ready = ready.subarray(part.length);
      done += part.length;
    }
    return rows;
  };
}
