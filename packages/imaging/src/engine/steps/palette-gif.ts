import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { RowFile } from '../rows/row-file.ts';
import type { Samples } from '../rows/row-stream.ts';
import type { DecodeResult } from './decode.ts';

const maxColors = 256;
/** Minimum opacity of a visible pixel, because pixels of a GIF are either visible or not. */
const minOpacity = 128;
/** Key of all invisible pixels. Colors are keys from 0 to 0xffffff. */
const invisible = -1;
const chunkRows = 64;

/** Colors of a frame by key, with their index in the color table. */
type ColorTable = Map<number, number>;

function colorAt(rows: Samples, at: number, channels: number): number {
  if (channels % 2 === 0 && (rows[at + channels - 1] as number) < minOpacity) return invisible;
  const [green, blue] = channels < 3 ? [at, at] : [at + 1, at + 2];
  return ((rows[at] as number) << 16) | ((rows[green] as number) << 8) | (rows[blue] as number);
}

async function* readFrame(image: RowFile, frame: { top: number; height: number }): AsyncGenerator<Samples> {
  for (let y = 0; y < frame.height; y += chunkRows)
    yield await image.readRows(frame.top + y, Math.min(chunkRows, frame.height - y));
}

/**
 * Collects the exact colors of each frame. Returns undefined if a frame has more than 256, including invisible pixels
 * as one color.
 */
export async function findColorTables(image: RowFile, frames: number): Promise<ColorTable[] | undefined> {
  const height = image.height / frames;
  const tables: ColorTable[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const table: ColorTable = new Map();
    for await (const rows of readFrame(image, { top: frame * height, height }))
      for (let at = 0; at < rows.length; at += image.channels) {
        const color = colorAt(rows, at, image.channels);
        if (!table.has(color)) table.set(color, table.size);
        if (table.size > maxColors) return undefined;
      }
    tables.push(table);
  }
  return tables;
}

type GifInput = { rows: RowFile; tables: ColorTable[]; animation: DecodeResult['animation'] };

/**
 * Writes a GIF (GIF89a) with the exact colors of each frame. Doesn't use the quantizer of libvips, because it changes
 * colors even if all of them fit into the table.
 */
export async function writePaletteGif(path: string, { rows, tables, animation }: GifInput): Promise<void> {
  async function* file() {
    const height = rows.height / tables.length;
    yield encodeHeader({ width: rows.width, height, loop: tables.length > 1 ? (animation?.loop ?? 0) : 1 });
    for (const [frame, table] of tables.entries()) {
      yield encodeFrameHeader(table, {
        ...{ width: rows.width, height, delay: animation?.delays[frame] ?? 0 },
        isCleared: tables.length > 1 && rows.channels % 2 === 0,
      });
      yield* compressFrame(readFrame(rows, { top: frame * height, height }), table, rows.channels);
    }
    yield Buffer.from([0x3b]);
  }
  await pipeline(file, createWriteStream(path));
}

const encodeWords = (...words: number[]) => words.flatMap((word) => [word & 255, word >>> 8]);

/** `loop`: number of times the animation plays, or 0 for no end. */
function encodeHeader({ width, height, loop }: { width: number; height: number; loop: number }): Buffer {
  const screen = Buffer.from([...encodeWords(width, height), 0x70, 0, 0]);
  if (loop === 1) return Buffer.concat([Buffer.from('GIF89a', 'latin1'), screen]);
  const repeats = Buffer.from([3, 1, ...encodeWords(Math.max(0, loop - 1)), 0]);
  const name = Buffer.from('\x21\xff\x0bNETSCAPE2.0', 'latin1');
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), screen, name, repeats]);
}

/** `delay`: in milliseconds. `isCleared`: whether the frame is removed before the next one is shown. */
type FrameFacts = { width: number; height: number; delay: number; isCleared: boolean };

const tableBitsOf = (table: ColorTable) => Math.max(1, Math.ceil(Math.log2(table.size)));

function encodeFrameHeader(table: ColorTable, { width, height, delay, isCleared }: FrameFacts): Buffer {
  const bits = tableBitsOf(table);
  const transparent = table.get(invisible);
  const flags = ((isCleared ? 2 : 1) << 2) | (transparent === undefined ? 0 : 1);
  const control = [0x21, 0xf9, 4, flags, ...encodeWords(Math.round(delay / 10)), transparent ?? 0, 0];
  const descriptor = [0x2c, ...encodeWords(0, 0, width, height), 0x80 | (bits - 1)];
  const colors = Buffer.alloc(3 * 2 ** bits);
  for (const [color, index] of table) if (color !== invisible) colors.writeUIntBE(color, 3 * index, 3);
  return Buffer.concat([Buffer.from([...control, ...descriptor]), colors]);
}

const maxCodes = 4096;
const maxBlockBytes = 255;

/** Yields the compressed indexes of a frame in blocks (GIF89a, appendix F). */
async function* compressFrame(chunks: AsyncIterable<Samples>, table: ColorTable, channels: number) {
  const rootBits = Math.max(2, tableBitsOf(table));
  const [clear, end] = [2 ** rootBits, 2 ** rootBits + 1];
  /** Code of each known string, by the code of the string without its last index, and that index. 0 if unknown. */
  const codes = new Uint16Array(maxCodes * maxColors);
  let [bits, count, prefix] = [rootBits + 1, end + 1, -1];
  let [held, heldBits] = [0, 0];
  let bytes: number[] = [];
  const emit = (code: number) => {
    held |= code << heldBits;
    heldBits += bits;
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  const add = (index: number) => {
    const key = prefix * maxColors + index;
    const known = codes[key] as number;
    if (known > 0) {
      prefix = known;
      return;
    }
    emit(prefix);
    if (count === maxCodes) {
      emit(clear);
      codes.fill(0);
      [bits, count] = [rootBits + 1, end + 1];
    } else {
      if (count >= 2 ** bits) bits++;
      codes[key] = count++;
    }
    prefix = index;
  };
  emit(clear);
  yield Buffer.from([rootBits]);
  for await (const rows of chunks) {
    for (let at = 0; at < rows.length; at += channels) {
      const index = table.get(colorAt(rows, at, channels)) as number;
      if (prefix < 0) prefix = index;
      else add(index);
    }
    const whole = bytes.length - (bytes.length % maxBlockBytes);
    yield encodeBlocks(bytes.slice(0, whole));
    bytes = bytes.slice(whole);
  }
  emit(prefix);
  emit(end);
  if (heldBits > 0) bytes.push(held & 255);
  yield encodeBlocks(bytes);
  yield Buffer.from([0]);
}

function encodeBlocks(bytes: number[]): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += maxBlockBytes) {
    const block = bytes.slice(at, at + maxBlockBytes);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat(blocks);
}
