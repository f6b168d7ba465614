import { makeWorkBudget } from '../inspect/work-budget.ts';
import { type Area, covers, intersect } from './area.ts';
import { canvasOf, disposal, type GifFrame, listGifFrames } from './list-gif-frames.ts';
import { findUsedCodes, replaceCode } from './lzw-codes.ts';

/**
 * Whether an animation shows its canvas although no frame declares a transparent color: the first frame is smaller, or a frame
 * is removed and one that follows doesn't cover its place. Browsers show the canvas as transparent.
 */
export function hasFreeArea(frames: readonly GifFrame[], declared: Area): boolean {
  const canvas = growCanvas(declared, frames[0]);
  // The only area without pixels when a frame is drawn, because the frames before it left nothing else free.
  let free: Area | undefined = canvas;
  for (const frame of frames) {
    if (free && !covers(frame, free)) return true;
    // Restoring what was before a frame shows the same free area again.
    if (frame.disposal !== disposal.previous)
      free = frame.disposal === disposal.background ? intersect(frame, canvas) : undefined;
  }
  return false;
}

/** A first frame that doesn't fit makes the canvas larger, as in browsers. The others are cut off. */
function growCanvas({ width, height, ...place }: Area, first: Area | undefined): Area {
  const { left = 0, top = 0 } = first ?? {};
  return {
    ...place,
    width: Math.max(width, left + (first?.width ?? 0)),
    height: Math.max(height, top + (first?.height ?? 0)),
  };
}

const largestIndex = 255;
const maxCodeSize = 8;
/** Graphic control extension without delay, disposal, and transparency. */
const emptyControl = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
const transparencyFlag = 1;

/**
 * Copy a GIF whose free canvas is visible with a transparent color for each frame, or return other files as they are. Without
 * one, the decoder fills the canvas with the background color, which browsers ignore.
 */
export function showGifCanvas(file: Buffer): Buffer {
  const { frames } = listGifFrames(file, makeWorkBudget());
  if (!hasFreeArea(frames, canvasOf(file))) return file;
  const copy = Buffer.from(file);
  const parts: Buffer[] = [];
  let done = 0;
  for (const frame of frames.filter(({ isTransparent }) => !isTransparent)) {
    const index = freeIndex(copy, frame);
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

/** A color index that no pixel of a frame has. Where all are used, the one that is most like another becomes that one. */
function freeIndex(file: Buffer, frame: GifFrame): number {
  if ((file[frame.dataAt] ?? 0) < maxCodeSize) return largestIndex;
  const used = findUsedCodes(file, frame.dataAt);
  const free = used.lastIndexOf(0);
  if (free >= 0) return free;
  const { from, to } = closestColors(file.subarray(frame.tableAt, frame.tableAt + 3 * frame.colors));
  replaceCode(file, frame.dataAt, { from, to });
  return from;
}

function closestColors(table: Buffer): { from: number; to: number } {
  let best = { from: largestIndex, to: largestIndex - 1, distance: Number.POSITIVE_INFINITY };
  const sample = (color: number, channel: number) => table[3 * color + channel] ?? 0;
  for (let from = 0; from <= largestIndex; from++)
    for (let to = 0; to < from; to++) {
      const distance = [0, 1, 2].reduce((sum, c) => sum + (sample(from, c) - sample(to, c)) ** 2, 0);
      if (distance < best.distance) best = { from, to, distance };
    }
  return best;
}
