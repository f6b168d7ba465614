/** Bits per sample. */
export type Depth = 8 | 16;
/** Interleaved samples, as bytes or as words in native byte order. */
export type Samples = Uint8Array | Uint16Array;

/** An image that is read from top to bottom. `read` may reuse the array that it returned in the previous call. */
export type RowStream = {
  width: number;
  height: number;
  channels: number;
  depth: Depth;
  read: (count: number) => Promise<Samples>;
};

export const makeSamples = (depth: Depth, length: number): Samples =>
  depth === 8 ? new Uint8Array(length) : new Uint16Array(length);

/** Whether alpha, the last of 2 or 4 channels, is transparency. */
export const hasTransparency = ({ channels, alpha }: { channels: number; alpha?: 'data' | undefined }): boolean =>
  channels % 2 === 0 && alpha !== 'data';

export const whiteOf = (depth: Depth): number => 2 ** depth - 1;

/**
 * Returns a function that provides `length` samples with arbitrary values. It alternates between two arrays, because
 * allocating and clearing new arrays for all rows of an image takes longer than most steps.
 */
export function makeScratchBuffers(depth: Depth): (length: number) => Samples {
  let [next, other] = [makeSamples(depth, 0), makeSamples(depth, 0)];
  return (length) => {
    const array = next.length < length ? makeSamples(depth, length) : next;
    [next, other] = [other, array];
    return array.subarray(0, length);
  };
}

/** Creates the `read` function of a row stream. `next` returns the next rows, at least one at a time. */
export function joinChunks({ depth, rowLength }: { depth: 8 | 16; rowLength: number }, next: () => Promise<Samples>) {
  const makeRows = makeScratchBuffers(depth);
  let ready = makeSamples(depth, 0);
  return async (count: number): Promise<Samples> => {
    const rows = makeRows(count * rowLength);
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

/**
 * Stacks `count` streams of the same size vertically. Opens each stream when its first row is read, except for the
 * first stream, which is opened immediately.
 */
export function stackFrames(count: number, open: (frame: number) => RowStream): RowStream {
  let frame = open(0);
  const { width, height, channels, depth } = frame;
  if (count === 1) return frame;
  const rowLength = width * channels;
  let y = 0;
  const read = async (rows: number) => {
    const stacked = makeSamples(depth, rows * rowLength);
    for (let done = 0; done < rows; ) {
      const inFrame = y % height;
      if (inFrame === 0 && y > 0) frame = open(y / height);
      const part = Math.min(rows - done, height - inFrame);
      stacked.set(await frame.read(part), done * rowLength);
      done += part;
      y += part;
    }
    return stacked;
  };
  return { width, height: height * count, channels, depth, read };
}

type Area = { left: number; top: number; width: number; height: number };

export function cropRows(source: RowStream, { left, top, width, height }: Area): RowStream {
  const { channels, depth } = source;
  if (width === source.width && height === source.height) return source;
  let isAtTop = top === 0;
  const read = async (count: number) => {
    if (!isAtTop) await source.read(top);
    isAtTop = true;
    const rows = await source.read(count);
    const cropped = makeSamples(depth, count * width * channels);
    for (let y = 0; y < count; y++) {
      const from = (y * source.width + left) * channels;
      cropped.set(rows.subarray(from, from + width * channels), y * width * channels);
    }
    return cropped;
  };
  return { width, height, channels, depth, read };
}
