import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { networkFactor, type Strip } from '../../pipeline/choose-passes.ts';
import type { RowFile, RowSize } from '../rows/row-file.ts';
import { joinChunks, makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';
import { openTiffRows, writeTiff } from '../rows/write-tiff.ts';
import { makeFilePass } from './passed-columns.ts';
import type { Band } from './strip-columns.ts';
import { type BandUpscaleOptions, upscaleBand } from './upscale-band.ts';

export type StripUpscaleOptions = Omit<BandUpscaleOptions, 'rows' | 'border'> & {
  strip: Strip;
  /** Parent folder of `bandsFolder`, which contains the band files. The caller deletes `bandsFolder`. */
  dir: string;
};

export const bandsFolder = 'bands';

/**
 * Upscales a stream by 4 in strips of the full width. If the rows kept between strips would take too much memory,
 * upscales the image in bands of columns instead, one band after the other. Throws AppError `cancelled`.
 */
export function upscaleStrips(source: RowStream, { strip, dir, ...options }: StripUpscaleOptions): RowStream {
  const upscaling = { ...options, rows: strip.rows, border: strip.border };
  return options.strips.runsBands ? joinBands(source, { upscaling, strip, dir }) : upscaleBand(source, upscaling);
}

type JoinBandsInput = { upscaling: BandUpscaleOptions; strip: Strip; dir: string };

const joinChunkRows = 64;

function joinBands(source: RowStream, joining: JoinBandsInput): RowStream {
  const { channels, depth } = source;
  const [width, height] = [source.width * networkFactor, source.height * networkFactor];
  let bands: StoredRows[] | undefined;
  let row = 0;
  const next = async (): Promise<Samples> => {
    bands ??= await storeBands(source, joining);
    const count = Math.min(joinChunkRows, height - row);
    const rows = makeSamples(depth, count * width * channels);
    let left = 0;
    for (const band of bands) {
      const part = await withStoredRows(band, (file) => file.readRows(row, count));
      const length = band.width * channels;
      for (let y = 0; y < count; y++)
        rows.set(part.subarray(y * length, (y + 1) * length), (y * width + left) * channels);
      left += band.width;
    }
    row += count;
    if (row === height) for (const { path } of bands) await rm(path);
    return rows;
  };
  return { width, height, channels, depth, read: joinChunks({ depth, rowLength: width * channels }, next) };
}

type StoredRows = RowSize & { path: string };

async function storeBands(source: RowStream, { upscaling, strip, dir }: JoinBandsInput): Promise<StoredRows[]> {
  const parent = join(dir, bandsFolder);
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'pass-'));
  const columnsDir = join(folder, 'columns');
  await mkdir(columnsDir);
  const pass = makeFilePass(columnsDir);
  const store = async (name: string, rows: RowStream): Promise<StoredRows> => {
    const path = join(folder, name);
    await writeTiff(path, rows, { onRows: () => {} });
    const { width, height, channels, depth } = rows;
    return { path, width, height, channels, depth };
  };
  const image = await store('source.tif', source);
  const stored: StoredRows[] = [];
  await withStoredRows(image, async (file) => {
    for (const [i, columns] of splitIntoBands(source.width + 2 * strip.border, strip).entries())
      stored.push(await store(`${i}.tif`, upscaleBand(file.stream(), upscaling, { ...columns, pass, part: 0 })));
  });
  await rm(image.path);
  await rm(columnsDir, { recursive: true });
  return stored;
}

async function withStoredRows<T>(rows: StoredRows, use: (file: RowFile) => Promise<T>): Promise<T> {
  const file = await openTiffRows(rows.path, rows);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

type BandColumns = Pick<Band, 'columns' | 'next'>;

/**
 * Divides the columns of an image into bands. The first layers are ahead of the last layers by `lag` columns. Bands
 * therefore start `lag / 2` columns later, which gives all bands the same work and memory. Throws Error if the bands
 * are too narrow to have an output.
 */
export function splitIntoBands(width: number, strip: Pick<Strip, 'width' | 'lag'>): BandColumns[] {
  const count = Math.ceil(width / strip.width);
  const start = (band: number) => {
    if (band === 0) return 0;
    return band < count ? Math.ceil((band * width) / count + strip.lag / 2) : Number.POSITIVE_INFINITY;
  };
  if (count > 1 && width / count <= strip.lag / 2) throw new Error(`${count} bands are too many for ${width} columns`);
  return Array.from({ length: count }, (_, i) => ({
    columns: { height: width, before: start(i), now: start(i + 1) },
    next: { height: width, before: start(i + 1), now: start(i + 2) },
  }));
}
