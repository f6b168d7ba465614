import { makeWorkBudget } from '../inspect/work-budget.ts';
import { sniffFormat } from '../sniff/sniff-format.ts';
import { type Area, covers } from './area.ts';
import { makeGifCanvasTransparent } from './make-gif-canvas-transparent.ts';

/**
 * Makes uncovered areas of an animation's canvas transparent for the decoder, as browsers display them. Returns other
 * files unchanged.
 */
export function makeCanvasTransparent(file: Buffer): Buffer {
  const format = sniffFormat(file)?.readable;
  if (format === 'gif') return makeGifCanvasTransparent(file);
  return format === 'webp' ? makeWebpCanvasTransparent(file) : file;
}

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;
/** Flags of the VP8X chunk (RFC 9649). */
const [alphaFlag, animationFlag] = [0x10, 0x02];
const flagsAt = riffHeaderBytes + chunkHeaderBytes;
/** Frame flag that clears the frame's area before the next frame. */
const disposeFlag = 0x01;

/**
 * If an animated WebP has a transparent frame or an uncovered part of the canvas, returns a copy with the alpha flag
 * set. Returns other files unchanged. Some encoders don't set the flag. Browsers ignore it, but the decoder drops
 * transparency without it.
 */
export function makeWebpCanvasTransparent(file: Buffer): Buffer {
  if (file.toString('latin1', riffHeaderBytes, riffHeaderBytes + 4) !== 'VP8X' || file.length < flagsAt + 10)
    return file;
  const flags = file[flagsAt] ?? 0;
  if (!(flags & animationFlag) || flags & alphaFlag || !hasVisibleCanvas(file)) return file;
  const copy = Buffer.from(file);
  copy[flagsAt] = flags | alphaFlag;
  return copy;
}

/**
 * Returns the offset of the byte that contains a WebP's alpha flag, and the value of this byte with the flag set.
 * Returns undefined for simple files, which have no flags.
 */
export const findAlphaFlag = (header: Buffer): { at: number; value: number } | undefined =>
  header.toString('latin1', riffHeaderBytes, riffHeaderBytes + 4) === 'VP8X'
    ? { at: flagsAt, value: (header[flagsAt] ?? 0) | alphaFlag }
    : undefined;

function hasVisibleCanvas(file: Buffer): boolean {
  const budget = makeWorkBudget();
  const canvas = {
    left: 0,
    top: 0,
    width: file.readUIntLE(flagsAt + 4, 3) + 1,
    height: file.readUIntLE(flagsAt + 7, 3) + 1,
  };
  let removed: Area | undefined = canvas;
  for (let at = riffHeaderBytes; at + chunkHeaderBytes <= file.length && budget.take('webp'); ) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'ANMF' && at + chunkHeaderBytes + 24 <= file.length) {
      const frame = readArea(file, at + chunkHeaderBytes);
      if ((removed && !covers(frame, removed)) || hasAlpha(file, at + chunkHeaderBytes + 16)) return true;
      removed = (file[at + chunkHeaderBytes + 15] ?? 0) & disposeFlag ? frame : undefined;
    }
    at += chunkHeaderBytes + length + (length % 2);
  }
  return false;
}

const readArea = (file: Buffer, at: number): Area => ({
  ...{ left: 2 * file.readUIntLE(at, 3), top: 2 * file.readUIntLE(at + 3, 3) },
  ...{ width: file.readUIntLE(at + 6, 3) + 1, height: file.readUIntLE(at + 9, 3) + 1 },
});

/** Whether the first chunk of a frame is an alpha plane, or a lossless image that uses alpha (RFC 9649, section 3.4). */
function hasAlpha(file: Buffer, at: number): boolean {
  const type = file.toString('latin1', at, at + 4);
  return type === 'ALPH' || (type === 'VP8L' && ((file[at + chunkHeaderBytes + 4] ?? 0) & 0x10) !== 0);
}
