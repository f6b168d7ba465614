import { makeSamples, type Samples } from './row-stream.ts';

/** Make the `read` function of a row stream from a function that returns the next rows, at least one at a time. */
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
