import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { networkFactor } from '../../plan/plan-passes.ts';
import type { Strip } from '../../plan/plan-strips.ts';
import type { RowFile, RowSize } from '../rows/row-file.ts';
import { joinChunks, makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';
import { openTiffRows, writeTiff } from '../rows/write-tiff.ts';
import { makeTileSpans, ramp, type TileSpan } from '../upscaler/upscale.ts';
import { type Band, upscaleBand } from './upscale-band.ts';

export type StripUpscaling = Pick<Band, 'strips' | 'signal' | 'onRun' | 'onStrip'> & {
  strip: Strip;
  /** Folder for the files of several bands. They are in its subfolder `bandsFolder`, which the caller deletes on failure. */
  dir: string;
};

export const bandsFolder = 'bands';

/**
 * Upscale a stream by 4 in strips of the full width. Where the rows that are kept between strips would take too much memory, the
 * image is upscaled in overlapping bands of columns, one after the other, which are blended. Throws AppError.
 */
export function upscaleStrips(source: RowStream, { strip, dir, ...options }: StripUpscaling): RowStream {
  const { border, fade, rows } = strip;
  const core = Math.min(source.width, strip.width - 2 * border);
  const spans = makeTileSpans(source.width, { core, overlap: border, fade });
  const bands = spans.map((span): Band => ({ ...options, rows, border, span, width: core + 2 * border }));
  const [band] = bands;
  return band && bands.length === 1 ? upscaleBand(source, band) : joinBands(source, bands, dir);
}

/** Rows that are read from the files of all bands at a time. */
const joinedRows = 64;

/** Upscale all bands into files when the first row is read, then read and blend these. */
function joinBands(source: RowStream, bands: Band[], dir: string): RowStream {
  const { channels, depth } = source;
  const [width, height] = [source.width * networkFactor, source.height * networkFactor];
  let files: StoredBand[] | undefined;
  let row = 0;
  const next = async (): Promise<Samples> => {
    files ??= await storeBands(source, bands, dir);
    const count = Math.min(joinedRows, height - row);
    const rows = makeSamples(depth, count * width * channels);
    for (const { path, size, span } of files) {
      const part = await withRows(path, size, (file) => file.readRows(row, count));
      blendColumns(rows, part, { span, count, width: width * channels, channels });
    }
    row += count;
    if (row === height) for (const { path } of files) await rm(path);
    return rows;
  };
  return { width, height, channels, depth, read: joinChunks({ depth, rowLength: width * channels }, next) };
}

type StoredBand = { path: string; size: RowSize; span: TileSpan };

async function storeBands(source: RowStream, bands: Band[], dir: string): Promise<StoredBand[]> {
  const parent = join(dir, bandsFolder);
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'pass-'));
  const store = async (name: string, rows: RowStream) => {
    const path = join(folder, name);
    await writeTiff(path, rows, { onRows: () => {} });
    return path;
  };
  const image = await store('source.tif', source);
  const stored: StoredBand[] = [];
  await withRows(image, source, async (file) => {
    for (const [i, band] of bands.entries()) {
      const rows = upscaleBand(file.stream(), band);
      const { width, height, channels, depth } = rows;
      stored.push({ path: await store(`${i}.tif`, rows), size: { width, height, channels, depth }, span: band.span });
    }
  });
  await rm(image);
  return stored;
}

async function withRows<T>(path: string, size: RowSize, use: (file: RowFile) => Promise<T>): Promise<T> {
  const file = await openTiffRows(path, size);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

type Blending = { span: TileSpan; count: number; width: number; channels: number };

/** Write the rows of a band, blended with the band to its left where they overlap. `width`: samples of a whole row. */
function blendColumns(rows: Samples, part: Samples, { span, count, width, channels }: Blending): void {
  const own = part.length / count;
  const from = span.from * networkFactor * channels;
  const fade = span.fade * networkFactor;
  for (let y = 0; y < count; y++) {
    const line = part.subarray(y * own, (y + 1) * own);
    for (let x = 0; x < fade; x++) {
      const weight = ramp(x, fade);
      for (let i = x * channels; i < (x + 1) * channels; i++) {
        const before = rows[y * width + from + i] as number;
        line[i] = Math.round(before + ((line[i] as number) - before) * weight);
      }
    }
    rows.set(line, y * width + from);
  }
}
