import { makeWorkBudget } from '../inspect/work-budget.ts';
import { type Area, covers, intersect } from './area.ts';
import { canvasOf, disposal, type GifFrame, listGifFrames } from './list-gif-frames.ts';

/**
 * Whether parts of an animation's canvas are uncovered, even if no frame declares a transparent color. This happens if
 * the first frame is smaller than the canvas, or if a frame is removed and the next frame doesn't cover its area.
 * Browsers display these parts as transparent.
 */
export function hasUncoveredArea(frames: readonly GifFrame[], declared: Area): boolean {
  const canvas = growCanvas(declared, frames[0]);
  // Tracking one area is enough, because the function returns once a frame doesn't cover it.
  let free: Area | undefined = canvas;
  for (const frame of frames) {
    if (free && !covers(frame, free)) return true;
    // If the previous content is restored, the uncovered area stays the same.
    if (frame.disposal !== disposal.previous)
      free = frame.disposal === disposal.background ? intersect(frame, canvas) : undefined;
  }
  return false;
}

/** Grows the canvas to fit the first frame, as browsers do. Later frames are cropped. */
function growCanvas({ width, height, ...place }: Area, first: Area | undefined): Area {
  const { left = 0, top = 0 } = first ?? {};
  return {
    ...place,
    width: Math.max(width, left + (first?.width ?? 0)),
    height: Math.max(height, top + (first?.height ?? 0)),
  };
}

const maxColorIndex = 255;
const maxCodeSize = 8;
/** Graphic control extension that sets no delay, disposal method, or transparency. */
const emptyControl = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
const transparencyFlag = 1;

/**
 * If parts of a GIF's canvas are uncovered, returns a copy in which each frame has a transparent color. Returns other
 * files unchanged. Without a transparent color, the decoder fills the canvas with the background color, which browsers
 * ignore.
 */
export function makeGifCanvasTransparent(file: Buffer): Buffer {
  const { frames } = listGifFrames(file, makeWorkBudget());
  if (!hasUncoveredArea(frames, canvasOf(file))) return file;
  const copy = Buffer.from(file);
  const parts: Buffer[] = [];
  let done = 0;
  for (const frame of frames.filter(({ isTransparent }) => !isTransparent)) {
    const index = findOrFreeIndex(copy, frame);
    if (frame.controlAt === undefined) {
      parts.push(
        copy.subarray(done, frame.at),
        Buffer.from(emptyControl).fill(transparencyFlag, 3, 4).fill(index, 6, 7),
      );
      done = frame.at;
    } else {
      copy[frame.controlAt + 3] = (copy[frame.controlAt + 3] ?? 0) | transparencyFlag;
      copy[frame.controlAt + 6] = index;
    }
  }
  return Buffer.concat([...parts, copy.subarray(done)]);
}

/**
 * Returns a color index that no pixel of a frame uses. If all are used, merges the two most similar colors to free one.
 */
function findOrFreeIndex(file: Buffer, frame: GifFrame): number {
  if ((file[frame.dataAt] ?? 0) < maxCodeSize) return maxColorIndex;
  const used = findUsedCodes(file, frame.dataAt);
  const free = used.lastIndexOf(0);
  if (free >= 0) return free;
  const { from, to } = findClosestColors(file.subarray(frame.tableAt, frame.tableAt + 3 * frame.colors));
  replaceCode(file, frame.dataAt, { from, to });
  return from;
}

function findClosestColors(table: Buffer): { from: number; to: number } {
  let best = { from: maxColorIndex, to: maxColorIndex - 1, distance: Number.POSITIVE_INFINITY };
  const sample = (color: number, channel: number) => table[3 * color + channel] ?? 0;
  for (let from = 0; from <= maxColorIndex; from++)
    for (let to = 0; to < from; to++) {
      const distance = [0, 1, 2].reduce((sum, c) => sum + (sample(from, c) - sample(to, c)) ** 2, 0);
      if (distance < best.distance) best = { from, to, distance };
    }
  return best;
}

const maxCodeBits = 12;

/** Called with the value of a code, its length in bits, and the position of its first bit in the data. */
type OnCode = (value: number, bits: number, at: number) => void;

/**
 * The data of a frame without the block lengths. `minimum`: bits per color index. `blocks`: two offsets per block,
 * which give the position of its first byte in the data and in the file. An offset per byte would take several times as
 * much memory as the data.
 */
type FrameData = { bytes: Uint8Array; blocks: Uint32Array; minimum: number };

/** Marks the color indices that a frame uses with 1. `dataAt`: offset of the minimum code size. */
export function findUsedCodes(file: Buffer, dataAt: number): Uint8Array {
  const data = collectFrameData(file, dataAt);
  const colors = 2 ** data.minimum;
  const used = new Uint8Array(colors);
  // Codes for strings can be ignored, because each color in a string has also occurred as a code of its own.
  readCodes(data, (value) => {
    if (value < colors) used[value] = 1;
  });
  return used;
}

/**
 * Replaces a color index of a frame with another one, in place. This also replaces the index in all strings of the code
 * table.
 */
export function replaceCode(file: Buffer, dataAt: number, { from, to }: { from: number; to: number }): void {
  const data = collectFrameData(file, dataAt);
  const offsetOf = makeOffsetLookup(data.blocks);
  readCodes(data, (value, bits, at) => {
    if (value !== from) return;
    for (let bit = 0; bit < bits; bit++) {
      const offset = offsetOf((at + bit) >> 3);
      const mask = 1 << ((at + bit) & 7);
      file[offset] = (to >> bit) & 1 ? (file[offset] as number) | mask : (file[offset] as number) & ~mask;
    }
  });
}

/** Each call must pass an index at least as high as in the previous call. */
function makeOffsetLookup(blocks: Uint32Array): (byte: number) => number {
  let block = 0;
  return (byte) => {
    while ((blocks[block + 2] ?? Number.POSITIVE_INFINITY) <= byte) block += 2;
    return (blocks[block + 1] as number) + byte - (blocks[block] as number);
  };
}

function collectFrameData(file: Buffer, dataAt: number): FrameData {
  let [total, count] = [0, 0];
  forEachBlock(file, dataAt, (start, end) => {
    total += end - start;
    count++;
  });
  const bytes = new Uint8Array(total);
  const blocks = new Uint32Array(2 * count);
  let [byte, block] = [0, 0];
  forEachBlock(file, dataAt, (start, end) => {
    blocks.set([byte, start], block);
    block += 2;
    bytes.set(file.subarray(start, end), byte);
    byte += end - start;
  });
  return { bytes, blocks, minimum: file[dataAt] ?? 0 };
}

/** Calls `onBlock` with the start and the end of each block of a frame, up to the end of a truncated file. */
function forEachBlock(file: Buffer, dataAt: number, onBlock: (start: number, end: number) => void): void {
  for (let at = dataAt + 1; at < file.length && file[at] !== 0; ) {
    const end = Math.min(file.length, at + 1 + (file[at] as number));
    onBlock(at + 1, end);
    at = end;
  }
}

/**
 * Reads the codes of a frame (GIF89a, appendix F). Doesn't build the code table, because the length of a code depends
 * only on the number of codes before it.
 */
function readCodes({ bytes, minimum }: FrameData, onCode: OnCode): void {
  const clear = 2 ** minimum;
  const start = { bits: minimum + 1, next: clear + 2, isFirst: true };
  let { bits, next, isFirst } = start;
  for (let at = 0; at + bits <= bytes.length * 8; ) {
    const value = readBits(bytes, at, bits);
    onCode(value, bits, at);
    at += bits;
    if (value === clear + 1) return;
    if (value === clear) {
      ({ bits, next, isFirst } = start);
      continue;
    }
    // The first code after a clear code doesn't add a string to the table.
    if (!isFirst && next < 2 ** maxCodeBits) next++;
    isFirst = false;
    if (next === 2 ** bits && bits < maxCodeBits) bits++;
  }
}

function readBits(bytes: Uint8Array, at: number, bits: number): number {
  const byte = at >> 3;
  const word = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
  return (word >> (at & 7)) & (2 ** bits - 1);
}
