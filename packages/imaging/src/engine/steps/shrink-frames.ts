import { openVipsFile } from '../rows/row-file.ts';
import { stackFrames } from '../rows/row-stream.ts';
import { shrink } from '../rows/shrink.ts';
import { writeVips } from '../rows/write-vips.ts';

/** `stack`: decoded frames as a `.v` file. `width` and `height`: size of a result frame. */
type Shrinking = { stack: string; path: string; frames: number; width: number; height: number };

/**
 * Shrink the frames of a `.v` file one by one, because stacked frames would blend with their neighbors. Images with alpha are
 * not shrunk by libvips, which limits alpha and the multiplied colors separately, so that edges become too bright.
 */
export async function shrinkFrames({ stack, path, frames, width, height }: Shrinking): Promise<void> {
  const source = await openVipsFile(stack);
  try {
    const frameHeight = source.height / frames;
    const open = (frame: number) => shrink(source.stream(frame * frameHeight, frameHeight), { width, height });
    const trailer = source.trailer.replace(/(name="page-height">)\d+/, `$1${height}`);
    await writeVips(path, stackFrames(frames, open), trailer);
  } finally {
    await source.close();
  }
}
