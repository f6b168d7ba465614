import { makeSamples, type RowStream } from './row-stream.ts';

/** Streams of one size as one picture, each below the one before. */
export function stackFrames(frames: readonly RowStream[]): RowStream {
  const [first] = frames;
  if (!first) throw new Error('an animation needs at least one frame');
  if (frames.length === 1) return first;
  const rowLength = first.width * first.channels;
  let y = 0;
  const read = async (count: number) => {
    const rows = makeSamples(first.depth, count * rowLength);
    for (let done = 0; done < count; ) {
      const frame = frames[Math.floor(y / first.height)] as RowStream;
      const part = Math.min(count - done, first.height - (y % first.height));
      rows.set(await frame.read(part), done * rowLength);
      done += part;
      y += part;
    }
    return rows;
  };
  return { ...first, height: first.height * frames.length, read };
}
