import { setImmediate } from 'node:timers/promises';
import type { HeifImage, Opacity } from '../../heif/describe-heif.ts';
import type { CodedImage, TiledImage } from '../../heif/read-stored-image.ts';
import { divideByAlpha, joinAlpha } from '../rows/channels.ts';
import { type Depth, joinChunks, makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';
import type { HevcDecoder } from './open-hevc-decoder.ts';
import { stackLayers } from './stack-layers.ts';
import { toGrey, toRgb } from './to-rgb.ts';

/** `onTile`: called before each tile; may throw. */
export type Decoding = { file: Buffer; decoder: HevcDecoder; onTile: () => void };
type Wanted = { kind: 'color' | 'grey' | 'alpha'; depth: Depth; points: HeifImage['colors']['codePoints'] };

/** Open the stored pixels of an image, before its transforms, with its transparency as the last channel. */
export function openHeifRows(decoding: Decoding, image: HeifImage): RowStream {
  const { stored, alpha, layerAlphas, isGrey, bitDepth, colors } = image;
  const depth = bitDepth > 8 ? 16 : 8;
  const open = (tiled: TiledImage, transparency: Opacity | undefined): RowStream => {
    const color = openTiles(decoding, tiled, { kind: isGrey ? 'grey' : 'color', depth, points: colors.codePoints });
    if (!transparency) return color;
    const joined = joinAlpha(color, openTiles(decoding, transparency, { kind: 'alpha', depth, points: undefined }));
    return transparency.isPremultiplied ? divideByAlpha(joined) : joined;
  };
  if (stored.kind === 'tiles') return open(stored, alpha);
  const layers = stored.layers.map((layer, i) => ({ ...layer, rows: open(layer.stored, layerAlphas[i]) }));
  return stackLayers({ ...stored, depth, layers });
}

/** Decode one row of tiles at a time. */
function openTiles(decoding: Decoding, stored: TiledImage, wanted: Wanted): RowStream {
  const { width, height, columns } = stored;
  const channels = wanted.kind === 'color' ? 3 : 1;
  const rowLength = width * channels;
  let row = 0;
  const next = async (): Promise<Samples> => {
    const tiles = stored.tiles.slice(row * columns, (row + 1) * columns);
    const tileHeight = tiles[0]?.height ?? height;
    const strip = makeSamples(wanted.depth, rowLength * Math.min(tileHeight, height - row * tileHeight));
    for (const [column, tile] of tiles.entries()) {
      // Messages of the parent are handled between tiles.
      await setImmediate();
      decoding.onTile();
      paste(strip, rowLength, { left: column * tile.width * channels, ...decodeTile(decoding, tile, wanted) });
    }
    row++;
    return strip;
  };
  return { width, height, channels, depth: wanted.depth, read: joinChunks({ depth: wanted.depth, rowLength }, next) };
}

/** Types of units up to this hold parts of a frame (H.265, table 7-1). Parameters come from the header alone. */
const lastFrameType = 31;

/** The units of a coded image: its parameters, and those that hold its frame. Cut-off units are left out. */
function listUnits(file: Buffer, { data, hevc }: CodedImage): Buffer[] {
  const units = hevc.parameters.map(({ start, end }) => file.subarray(start, end));
  const stream = Buffer.concat(data.map(({ start, end }) => file.subarray(start, end)));
  const { lengthBytes } = hevc;
  for (let at = 0; at + lengthBytes < stream.length; ) {
    const start = at + lengthBytes;
    at = start + stream.readUIntBE(at, lengthBytes);
    const type = ((stream[start] as number) >> 1) & 63;
    if (at <= stream.length && type <= lastFrameType) units.push(stream.subarray(start, at));
  }
  return units;
}

function decodeTile({ file, decoder }: Decoding, tile: CodedImage, { kind, depth, points }: Wanted) {
  const { width, height } = tile;
  const wanted = { width, height, depth, points: points ?? tile.colors.codePoints };
  const samples = decoder.decode(listUnits(file, tile), (frame) =>
    kind === 'color' ? toRgb(frame, wanted) : toGrey(frame, { ...wanted, isAlpha: kind === 'alpha' }),
  );
  return { samples, length: width * (kind === 'color' ? 3 : 1) };
}

type Part = { left: number; samples: Samples; length: number };

/** Copy the rows of a part into a strip, as far as they reach. */
function paste(strip: Samples, rowLength: number, { left, samples, length }: Part): void {
  const used = Math.min(length, rowLength - left);
  for (let y = 0; y * rowLength < strip.length; y++)
    strip.set(samples.subarray(y * length, y * length + used), y * rowLength + left);
}
