import type { WorkBudget } from '../inspect/work-budget.ts';
import type { Area } from './area.ts';

/**
 * Disposal methods, which define what happens to a frame's area before the next frame is drawn (GIF89a, section 23).
 */
export const disposal = { background: 2, previous: 3 } as const;
/** Alternative value for `disposal.previous`. Some encoders write it, and browsers accept it. */
const altPreviousDisposal = 4;

/** Offsets are relative to the start of the file. */
export type GifFrame = Area & {
  /** Offset of the image descriptor. */
  at: number;
  /** Offset of the graphic control extension. Undefined if the frame has none. */
  controlAt: number | undefined;
  disposal: number;
  isTransparent: boolean;
  /** Offset of the color table: the frame's own table, or the global one. `colors`: number of colors in the table. */
  tableAt: number;
  colors: number;
  /** Offset of the minimum code size, which precedes the blocks of codes. */
  dataAt: number;
};

/** Block introducers and the label of a graphic control extension (GIF89a, sections 20 to 26). */
const [imageBlock, extensionBlock, controlLabel] = [0x2c, 0x21, 0xf9];
const headerBytes = 13;
const descriptorBytes = 10;
const controlDataBytes = 4;

/**
 * Returns the number of colors in a table, which is encoded in the packed flags before it. 0 if the table is missing.
 */
const colorCountOf = (flags = 0) => (flags & 0x80 ? 2 ** ((flags & 7) + 1) : 0);

/** The header must be complete. */
export const canvasOf = (file: Buffer): Area => ({
  ...{ left: 0, top: 0 },
  ...{ width: file.readUInt16LE(6), height: file.readUInt16LE(8) },
});

type OnFrame = (at: number, controlAt: number | undefined) => void;

/** Walks the blocks of a GIF up to the first damaged block. Never throws. `end`: offset at which the walk ended. */
export function walkGif(file: Buffer, budget: WorkBudget, onFrame?: OnFrame): { frames: number; end: number } {
  let frames = 0;
  let controlAt: number | undefined;
  let at = headerBytes + 3 * colorCountOf(file[10]);
  while (at < file.length && budget.take('gif')) {
    if (file[at] === imageBlock) {
      frames++;
      onFrame?.(at, controlAt);
      controlAt = undefined;
      at = skipBlocks(file, at + 11 + 3 * colorCountOf(file[at + 9]), budget);
    } else if (file[at] === extensionBlock) {
      if (file[at + 1] === controlLabel && file[at + 2] === controlDataBytes) controlAt = at;
      at = skipBlocks(file, at + 2, budget);
    } else break;
  }
  return { frames, end: at };
}

/** Lists the frames of a complete GIF. */
export function listGifFrames(file: Buffer, budget: WorkBudget): { frames: GifFrame[]; end: number } {
  const frames: GifFrame[] = [];
  const { end } = walkGif(file, budget, (at, controlAt) => {
    if (at + descriptorBytes <= file.length) frames.push(readFrame(file, at, controlAt));
  });
  return { frames, end };
}

function readFrame(file: Buffer, at: number, controlAt: number | undefined): GifFrame {
  const control = controlAt === undefined ? 0 : (file[controlAt + 3] ?? 0);
  const own = colorCountOf(file[at + 9]);
  const kind = (control >> 2) & 7;
  return {
    ...{
      at,
      controlAt,
      disposal: kind === altPreviousDisposal ? disposal.previous : kind,
      isTransparent: (control & 1) === 1,
    },
    ...{ left: file.readUInt16LE(at + 1), top: file.readUInt16LE(at + 3) },
    ...{ width: file.readUInt16LE(at + 5), height: file.readUInt16LE(at + 7) },
    tableAt: own > 0 ? at + descriptorBytes : headerBytes,
    colors: own || colorCountOf(file[10]),
    dataAt: at + descriptorBytes + 3 * own,
  };
}

function skipBlocks(file: Buffer, from: number, budget: WorkBudget): number {
  let at = from;
  while (at < file.length && file[at] !== 0 && budget.take('gif')) at += (file[at] as number) + 1;
  return at + 1;
}
