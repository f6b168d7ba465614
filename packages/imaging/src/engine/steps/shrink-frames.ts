import { open, readFile, rm } from 'node:fs/promises';
import { guardedSharp } from '../../decoders.ts';
import { openVipsFile, type VipsFile } from '../rows/vips-file.ts';
import { colorSpace } from './open-pixels.ts';

/** `stack`: the decoded frames as a `.v` file, which is deleted at the end. `width` and `height`: size of a result frame. */
type Shrinking = { stack: string; path: string; frames: number; width: number; height: number };

const headerBytes = 64;
/** Offset of the height in the header of a `.v` file. */
const heightAt = 8;

/** Shrink the frames of an animation one by one, because stacked frames would blend with their neighbors. */
export async function shrinkFrames(shrinking: Shrinking): Promise<void> {
  const { stack, path, frames, height } = shrinking;
  const source = await openVipsFile(stack);
  const part = `${path}.frame.v`;
  try {
    const file = await open(path, 'w', 0o600);
    try {
      for (let frame = 0; frame < frames; frame++) {
        await shrinkFrame(source, part, { ...shrinking, frame });
        const bytes = await readFile(part);
        if (frame === 0) {
          const header = Buffer.from(bytes.subarray(0, headerBytes));
          header.writeUInt32LE(height * frames, heightAt);
          await file.appendFile(header);
        }
        await file.appendFile(samplesOf(bytes));
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

async function shrinkFrame(source: VipsFile, part: string, shrinking: Shrinking & { frame: number }): Promise<void> {
  const { stack, frame, frames, width, height } = shrinking;
  const frameHeight = source.height / frames;
  await guardedSharp(stack, { limitInputPixels: false, ignoreIcc: true })
    .extract({ left: 0, top: frame * frameHeight, width: source.width, height: frameHeight })
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3' })
    .toColorspace(colorSpace(source.channels < 3, source.depth))
    .toFile(part);
}

function samplesOf(part: Buffer): Buffer {
  const [width, height, bands] = [part.readUInt32LE(4), part.readUInt32LE(heightAt), part.readUInt32LE(12)];
  const sampleBytes = part.readUInt32LE(20) === 0 ? 1 : 2;
  return part.subarray(headerBytes, headerBytes + width * height * bands * sampleBytes);
}
