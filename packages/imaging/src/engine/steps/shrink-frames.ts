import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { guardedSharp } from '../../decoders.ts';
import { openVipsFile, type VipsFile } from '../rows/vips-file.ts';

export type Shrinking = {
  /** The decoded frames, stacked vertically, as a `.v` file. Deleted at the end. */
  stack: string;
  path: string;
  frames: number;
  /** Size of one frame of the result. */
  width: number;
  height: number;
};

const headerBytes = 64;
/** Offset of the height in the header of a `.v` file. */
const heightAt = 8;

/**
 * Shrink the frames of an animation one by one: as one tall image, the first and last rows of a frame would blend with its
 * neighbors. Writes `path` in the format of `stack`, with its metadata.
 */
export async function shrinkFrames(shrinking: Shrinking): Promise<void> {
  const { stack, path, frames, height } = shrinking;
  const source = await openVipsFile(stack);
  const part = `${path}.frame.v`;
  try {
    const file = await open(path, 'w', 0o600);
    try {
      for (let frame = 0; frame < frames; frame++) {
        await shrinkFrame(source, part, { ...shrinking, frame });
        await append(file, await readFile(part), { frame, frames, height });
      }
      const trailer = source.trailer.replace(/(name="page-height">)\d+/, `$1${height}`);
      await file.appendFile(trailer);
    } finally {
      await file.close();
    }
  } finally {
    await source.close();
    await Promise.all([stack, part].map((name) => rm(name, { force: true })));
  }
}

async function shrinkFrame(
  source: VipsFile,
  part: string,
  { stack, frame, frames, width, height }: Shrinking & { frame: number },
): Promise<void> {
  const frameHeight = source.height / frames;
  const names = source.channels < 3 ? { 8: 'b-w', 16: 'grey16' } : { 8: 'srgb', 16: 'rgb16' };
  await guardedSharp(stack, { limitInputPixels: false, ignoreIcc: true })
    .extract({ left: 0, top: frame * frameHeight, width: source.width, height: frameHeight })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
    .toColorspace(names[source.depth])
    .toFile(part);
}

/** Append the samples of a frame, after a header with the total height for the first frame. */
async function append(
  file: FileHandle,
  part: Buffer,
  { frame, frames, height }: { frame: number; frames: number; height: number },
): Promise<void> {
  const bytes = samplesOf(part);
  if (frame === 0) {
    const header = Buffer.from(part.subarray(0, headerBytes));
    header.writeUInt32LE(height * frames, heightAt);
    await file.appendFile(header);
  }
  await file.appendFile(bytes);
}

/** The samples of a `.v` file, between its header and its trailer. */
function samplesOf(part: Buffer): Buffer {
  const [width, height, bands, format] = [4, 8, 12, 20].map((at) => part.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return part.subarray(headerBytes, headerBytes + width * height * bands * (format === 0 ? 1 : 2));
}
