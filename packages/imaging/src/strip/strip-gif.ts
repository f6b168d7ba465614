import { AppError } from '@uprez/contracts/errors/app-error';
import { openByteWriter, sliceChecked } from './byte-writer.ts';

export const headBytes = 13;
const [extension, image, trailer] = [0x21, 0x2c, 0x3b];
const [control, application] = [0xf9, 0xff];
/**
 * Application extensions that decoders need: the color profile, and the repeat count of an animation. Repeat count
 * extensions have `repeatBytes` bytes.
 */
const profileExtension = 'ICCRGBG1012';
const repeatExtensions = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
const repeatBytes = 19;

/** Returns the size of the color table that a flags byte announces, in bytes. */
export const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Removes comments, unknown extensions, and metadata from a GIF file. Also removes all data after the image. */
export function stripGif(file: Buffer): Buffer {
  const output = openByteWriter(file.length);
  const head = sliceChecked(file, 0, headBytes);
  const start = headBytes + tableBytes(head[10] as number);
  output.add(sliceChecked(file, 0, start));
  for (let at = start; ; ) {
    const kind = sliceChecked(file, at, at + 1)[0];
    if (kind === trailer) {
      output.add(sliceChecked(file, at, at + 1));
      return output.finish();
    }
    const block = sliceChecked(file, at, findBlockEnd(file, at));
    if (isKept(block)) output.add(block);
    at += block.length;
  }
}

/** Returns the end of the extension or image at `at`. Throws `corrupt_image` if the file ends earlier. */
export function findBlockEnd(file: Buffer, at: number): number {
  if (file[at] === extension) return skipSubBlocks(file, at + 2);
  if (file[at] !== image) throw new AppError('corrupt_image');
  const flags = sliceChecked(file, at, at + 10)[9] as number;
  return skipSubBlocks(file, at + 10 + tableBytes(flags) + 1);
}

function skipSubBlocks(file: Buffer, start: number): number {
  for (let at = start; at < file.length; ) {
    const length = file[at] as number;
    at += 1 + length;
    if (length === 0) return at;
  }
  throw new AppError('corrupt_image');
}

function isKept(block: Buffer): boolean {
  if (block[0] !== extension || block[1] === control) return true;
  if (block[1] !== application) return false;
  const name = block.toString('latin1', 3, 14);
  return name === profileExtension || (repeatExtensions.includes(name) && block.length === repeatBytes);
}
