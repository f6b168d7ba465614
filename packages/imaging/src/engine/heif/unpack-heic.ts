import { setImmediate } from 'node:timers/promises';
import { type AlphaImage, describeHeif, type HeifImage } from '../../heif/describe-heif.ts';
import type { CodedImage, TiledImage } from '../../heif/read-stored-image.ts';
import { hasDamagedProfile, toSourceColor } from '../../inspect/read-source-color.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';
import { applyColor } from '../color/apply-color.ts';
import { divideByAlpha, joinAlpha } from '../rows/channels.ts';
import {
  cropRows,
  type Depth,
  joinChunks,
  makeSamples,
  type RowStream,
  type Samples,
  whiteOf,
} from '../rows/row-stream.ts';
import { type UnpackedFile, writeTiff } from '../rows/write-tiff.ts';
import { decodeNotes } from '../steps/decode-notes.ts';
import { type HevcDecoder, openHevcDecoder } from './open-hevc-decoder.ts';
import { toGray, toRgb } from './to-rgb.ts';

type UnpackInput = {
  file: Buffer;
  path: string;
  /** Called before each tile. May throw. */
  onTile: () => void;
  report: (share: number) => void;
};

/** Decodes the primary image of a HEIC file to a TIFF, one row of tiles at a time. Throws AppError `corrupt_image`. */
export async function unpackHeic({ file, path, onTile, report }: UnpackInput): Promise<UnpackedFile> {
  const budget = makeWorkBudget();
  const image = describeHeif(file, () => budget.take('heic'));
  const rows = openHeifRows({ file, decoder: openHevcDecoder(), onTile }, image);
  const { area, orientation } = image.view;
  const color = toSourceColor(file, image.colors);
  const applied = await applyColor({ rows: cropRows(rows, area), color, profile: findProfile(file, image), path });
  await writeTiff(path, applied.rows, {
    icc: applied.icc,
    orientation,
    onRows: (count) => report(count / area.height),
  });
  const dropped = hasDamagedProfile(file, image.colors) ? [decodeNotes.profileUnusable] : [];
  return { path, notes: [...dropped, ...applied.notes] };
}

function findProfile(file: Buffer, { colors: { icc } }: HeifImage): Buffer | undefined {
  return icc && icc.end > icc.start ? file.subarray(icc.start, icc.end) : undefined;
}

type DecodeContext = { file: Buffer; decoder: HevcDecoder; onTile: () => void };
type TileFormat = { kind: 'color' | 'grey' | 'alpha'; depth: Depth; points: HeifImage['colors']['codePoints'] };

/** Opens the pixels of an image as stored, before its transforms are applied. Alpha is the last channel. */
function openHeifRows(decoding: DecodeContext, image: HeifImage): RowStream {
  const { stored, alpha, layerAlphas, isGray, bitDepth, colors } = image;
  const depth = bitDepth > 8 ? 16 : 8;
  const open = (tiled: TiledImage, transparency: AlphaImage | undefined): RowStream => {
    const color = openTiles(decoding, tiled, { kind: isGray ? 'grey' : 'color', depth, points: colors.codePoints });
    if (!transparency) return color;
    const joined = joinAlpha(color, openTiles(decoding, transparency, { kind: 'alpha', depth, points: undefined }));
    return transparency.isPremultiplied ? divideByAlpha(joined) : joined;
  };
  if (stored.kind === 'tiles') return open(stored, alpha);
  const layers = stored.layers.map((layer, i) => ({ ...layer, rows: open(layer.stored, layerAlphas[i]) }));
  return stackLayers({ ...stored, depth, layers });
}

function openTiles(decoding: DecodeContext, stored: TiledImage, wanted: TileFormat): RowStream {
  const { width, height, columns } = stored;
  const channels = wanted.kind === 'color' ? 3 : 1;
  const rowLength = width * channels;
  let row = 0;
  const next = async (): Promise<Samples> => {
    const tiles = stored.tiles.slice(row * columns, (row + 1) * columns);
    const tileHeight = tiles[0]?.height ?? height;
    const strip = makeSamples(wanted.depth, rowLength * Math.min(tileHeight, height - row * tileHeight));
    for (const [column, tile] of tiles.entries()) {
      // Lets the process handle messages from the parent between tiles.
      await setImmediate();
      decoding.onTile();
      pasteTile(strip, rowLength, { left: column * tile.width * channels, ...decodeTile(decoding, tile, wanted) });
    }
    row++;
    return strip;
  };
  return { width, height, channels, depth: wanted.depth, read: joinChunks({ depth: wanted.depth, rowLength }, next) };
}

/**
 * Highest type of NAL units that contain parts of a frame (H.265, table 7-1). Parameter sets have higher types, and are
 * taken only from the header.
 */
const maxFrameUnitType = 31;

/**
 * Lists the NAL units of a coded image: its parameter sets, then the units of its frame. Truncated units are skipped.
 */
function listUnits(file: Buffer, { data, hevc }: CodedImage): Buffer[] {
  const units = hevc.parameters.map(({ start, end }) => file.subarray(start, end));
  const stream = Buffer.concat(data.map(({ start, end }) => file.subarray(start, end)));
  const { lengthBytes } = hevc;
  for (let at = 0; at + lengthBytes < stream.length; ) {
    const start = at + lengthBytes;
    at = start + stream.readUIntBE(at, lengthBytes);
    const type = ((stream[start] as number) >> 1) & 63;
    if (at <= stream.length && type <= maxFrameUnitType) units.push(stream.subarray(start, at));
  }
  return units;
}

function decodeTile({ file, decoder }: DecodeContext, tile: CodedImage, { kind, depth, points }: TileFormat) {
  const { width, height } = tile;
  const wanted = { width, height, depth, points: points ?? tile.colors.codePoints };
  const samples = decoder.decode(listUnits(file, tile), (frame) =>
    kind === 'color' ? toRgb(frame, wanted) : toGray(frame, { ...wanted, isAlpha: kind === 'alpha' }),
  );
  return { samples, length: width * (kind === 'color' ? 3 : 1) };
}

type DecodedTile = { left: number; samples: Samples; length: number };

function pasteTile(strip: Samples, rowLength: number, { left, samples, length }: DecodedTile): void {
  const used = Math.min(length, rowLength - left);
  for (let y = 0; y * rowLength < strip.length; y++)
    strip.set(samples.subarray(y * length, y * length + used), y * rowLength + left);
}

type Layer = { left: number; top: number; rows: RowStream };
/** `fill`: color of the canvas, 0-65535. `layers`: from bottom to top. */
type Canvas = { width: number; height: number; depth: Depth; fill: readonly number[]; layers: readonly Layer[] };

/** Draws layers on a canvas (ISO/IEC 23008-12, 6.6.2.2). The result is opaque. */
function stackLayers({ width, height, depth, fill, layers }: Canvas): RowStream {
  const channels = 3;
  const color = fill.slice(0, channels).map((sample) => Math.round((sample * whiteOf(depth)) / whiteOf(16)));
  let y = 0;
  const read = async (count: number): Promise<Samples> => {
    const rows = makeSamples(depth, count * width * channels);
    for (let i = 0; i < rows.length; i++) rows[i] = color[i % channels] as number;
    for (const layer of layers) await placeRows(rows, { layer, y, count, width });
    y += count;
    return rows;
  };
  return { width, height, channels, depth, read };
}

type PlaceRowsInput = { layer: Layer; y: number; count: number; width: number };

async function placeRows(canvas: Samples, { layer, y, count, width }: PlaceRowsInput): Promise<void> {
  const { rows, left, top } = layer;
  const [from, until] = [Math.max(y, top), Math.min(y + count, top + rows.height)];
  if (from >= until) return;
  // On the first call, skips the layer's rows that are above the canvas.
  if (y === 0 && top < 0) await rows.read(-top);
  const samples = await rows.read(until - from);
  const [firstX, lastX] = [Math.max(0, left), Math.min(width, left + rows.width)];
  for (let row = from; row < until; row++)
    for (let x = firstX; x < lastX; x++) {
      const source = ((row - from) * rows.width + x - left) * rows.channels;
      blendPixel(canvas, ((row - y) * width + x) * 3, { samples, at: source, rows });
    }
}

type SourcePixel = { samples: Samples; at: number; rows: RowStream };

function blendPixel(canvas: Samples, to: number, { samples, at, rows: { channels, depth } }: SourcePixel): void {
  const opacity = channels === 4 ? (samples[at + 3] as number) / whiteOf(depth) : 1;
  for (let c = 0; c < 3; c++) {
    const below = canvas[to + c] as number;
    canvas[to + c] = Math.round(below + ((samples[at + c] as number) - below) * opacity);
  }
}
