import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { type Box, makeFieldReader } from './read-boxes.ts';
import { type HevcConfig, readHevcConfig } from './read-hevc-config.ts';
import type { Item, Meta } from './read-meta.ts';
import { type Colors, findProperty, hasUnknownProperty, readColors, readSize } from './read-properties.ts';
import type { Size } from './view.ts';

type ByteRange = Pick<Box, 'start' | 'end'>;
/** An HEVC stream. `config`: byte range of its decoder configuration. `data`: byte ranges of its units. */
export type CodedImage = Size & { config: ByteRange; data: ByteRange[]; hevc: HevcConfig; colors: Colors };
/** Images of equal size that fill `width` and `height` row by row. A single image is one tile. */
export type TiledImage = Size & { kind: 'tiles'; columns: number; rows: number; tiles: CodedImage[] };
type Layer = { left: number; top: number; stored: TiledImage; item: Item };
/** Images on a canvas, from bottom to top. `fill`: red, green, blue, and alpha of the canvas, 0-65535. */
type LayeredImage = Size & { kind: 'layers'; fill: number[]; layers: Layer[] };
export type StoredImage = TiledImage | LayeredImage;

const makeCorruptError = () => new AppError('corrupt_image');
const maxLayers = 16;
/** Maximum bytes that are read from the data of a grid or an overlay. */
export const maxDerivedBytes = 1_024;
/**
 * The width and the height of the coded frame must each exceed the image's by less than this, in pixels. Encoders round
 * the sides up to whole blocks.
 */
const maxPadding = 64;

/**
 * Reads how the pixels of an item are stored (ISO/IEC 23008-12, 6.6). Throws AppError `corrupt_image` or
 * `unsupported_format`.
 */
export function readStoredImage(file: Buffer, meta: Meta, item: Item): StoredImage {
  if (item.type !== 'iovl') return readTiledImage(file, meta, item);
  if (hasUnknownProperty(item)) throw makeUnsupportedHeifError('HEIF');
  return readLayers(file, meta, item);
}

/** Throws AppError `corrupt_image` if one is missing. */
function listSources({ items, references }: Meta, { id }: Item): Item[] {
  const ids = references.find(({ type, from }) => type === 'dimg' && from === id)?.to ?? [];
  return ids.map((source) => {
    const found = items.get(source);
    if (!found) throw makeCorruptError();
    return found;
  });
}

/** Reads an item that is a single image or a grid of images. Throws the same errors as `readStoredImage`. */
export function readTiledImage(file: Buffer, meta: Meta, item: Item): TiledImage {
  if (hasUnknownProperty(item)) throw makeUnsupportedHeifError('HEIF');
  if (item.type === 'grid') return readGrid(file, meta, item);
  const image = readCodedImage(file, item);
  const { width, height } = image;
  return { kind: 'tiles', width, height, columns: 1, rows: 1, tiles: [image] };
}

/** Returns the total length of ranges, in bytes. Overlapping bytes count for each range. */
export const sumBytes = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start, 0);

function readCodedImage(file: Buffer, item: Item): CodedImage {
  const config = findProperty(item, 'hvcC');
  if (item.type !== 'hvc1' || hasUnknownProperty(item)) throw makeUnsupportedHeifError('HEIF');
  if (!config || item.extents.length === 0) throw makeCorruptError();
  const size = readSize(file, item);
  const hevc = readHevcConfig(file, config);
  const [across, down] = [hevc.width - size.width, hevc.height - size.height];
  if (across < 0 || down < 0 || across >= maxPadding || down >= maxPadding) throw makeCorruptError();
  if (item.extents.some(({ start, end }) => end < start || end > file.length)) throw makeCorruptError();
  if (sumBytes(item.extents) > file.length) throw makeCorruptError();
  return { ...size, config, data: item.extents, hevc, colors: readColors(file, item) };
}

function readGrid(file: Buffer, meta: Meta, item: Item): TiledImage {
  const fields = readDerived(file, item);
  const bytes = fields.sizeBytes;
  const [rows, columns] = [fields.unsigned(1) + 1, fields.unsigned(1) + 1];
  const size = { width: fields.unsigned(bytes), height: fields.unsigned(bytes) };
  if (rows * columns > limits.heifTiles) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  const sources = listSources(meta, item);
  // Reads each item only once, because a grid may refer to one item for all of its tiles.
  const coded = new Map([...new Set(sources)].map((source) => [source, readCodedImage(file, source)]));
  const tiles = sources.map((source) => coded.get(source) as CodedImage);
  const [first] = tiles;
  if (!first || tiles.length !== rows * columns) throw makeCorruptError();
  const { width, height, hevc } = first;
  const isEqual = (tile: CodedImage) =>
    tile.width === width && tile.height === height && tile.hevc.isGray === hevc.isGray;
  // The image must extend into every column and row, and the tiles must cover the image.
  const fits = (side: number, tile: number, count: number) => side > tile * (count - 1) && side <= tile * count;
  if (!tiles.every(isEqual) || !fits(size.width, width, columns) || !fits(size.height, height, rows))
    throw makeCorruptError();
  return { kind: 'tiles', ...size, columns, rows, tiles };
}

function readLayers(file: Buffer, meta: Meta, item: Item): LayeredImage {
  const fields = readDerived(file, item);
  const fill = [0, 1, 2, 3].map(() => fields.unsigned(2));
  const bytes = fields.sizeBytes;
  const size = { width: fields.unsigned(bytes), height: fields.unsigned(bytes) };
  const sources = listSources(meta, item);
  if (sources.length > maxLayers) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  if (size.width === 0 || size.height === 0) throw makeCorruptError();
  const isTransformed = ({ properties }: Item) =>
    properties.some(({ type }) => ['irot', 'imir', 'clap'].includes(type));
  if (sources.some(isTransformed)) throw makeUnsupportedHeifError('HEIF');
  const layers = sources.map((source) => {
    const offset = () => (bytes === 2 ? (fields.unsigned(2) << 16) >> 16 : fields.signed());
    return { left: offset(), top: offset(), stored: readTiledImage(file, meta, source), item: source };
  });
  return { kind: 'layers', ...size, fill, layers };
}

/**
 * Opens the data of a derived item, after its version field. `sizeBytes`: length of the width and height fields, in
 * bytes.
 */
function readDerived(file: Buffer, { extents }: Item) {
  const [range] = extents;
  if (!range || extents.length > 1 || range.end > file.length || range.end < range.start) throw makeCorruptError();
  const fields = makeFieldReader(file, { start: range.start, end: Math.min(range.end, range.start + maxDerivedBytes) });
  fields.advance(1);
  return { ...fields, sizeBytes: fields.unsigned(1) & 1 ? 4 : 2 };
}

export const makeUnsupportedHeifError = (name: 'HEIF' | 'HEIC animation') =>
  new AppError('unsupported_format', { detail: describeUnsupported(name) });
