import { guardedSharp } from '../../decoders.ts';
import { bleedColor, joinAlpha, pickChannels } from '../../engine/rows/channels.ts';
import { resample } from '../../engine/rows/resample.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import type { RowStream, Samples } from '../../engine/rows/row-stream.ts';
import { shrink } from '../../engine/rows/shrink.ts';

type Size = { width: number; height: number };
type Crop<Image> = { region: Region; before: Image; after: Image };
export type Comparison = {
  before: EncodedPreview;
  after: EncodedPreview;
  /**
   * `gain`: how many times the difference was amplified. `mean`: mean difference on the 0-255 scale, without
   * amplification.
   */
  difference: EncodedPreview & { gain: number; mean: number };
  crops: Crop<EncodedPreview>[];
  isTransparent: boolean;
};

/** Maximum longer side of a preview, in pixels. */
const previewSide = 1_600;
const cropOptions = { side: 320, count: 3 };
/**
 * `initialGain`: amplification of differences before they are scaled down to the preview. `extraGains`: further
 * amplifications to try after that.
 */
const initialGain = 4;
const extraGains = [8, 4, 2];
const minShareInRange = 0.995;

/** Resamples a source to the size of its result and compares the two images. Holds only rows and previews in memory. */
export async function compareImages(source: RowFile, result: RowFile): Promise<Comparison> {
  const size = previewSize(result);
  const regions = await findDetail(flattenOnWhite(source.stream()), {
    ...cropOptions,
    result,
    scale: { x: result.width / source.width, y: result.height / source.height },
  });
  const { difference, cut } = await subtractImages({ source, result, size, regions });
  const show = async (file: RowFile) => encodePreview(await readPixels(resampleRows(file, size)));
  const encodeCrop = async ({ region, before, after }: Crop<Pixels>) => ({
    region,
    before: await encodeLosslessly(before),
    after: await encodeLosslessly(after),
  });
  return {
    before: await show(source),
    after: await show(result),
    difference,
    crops: await Promise.all(cut.map(encodeCrop)),
    isTransparent: [source, result].some(({ channels }) => channels % 2 === 0),
  };
}

function previewSize({ width, height }: Size): Size {
  const shrink = Math.min(1, previewSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
}

type SubtractInput = { source: RowFile; result: RowFile; size: Size; regions: Region[] };

async function subtractImages({ source, result, size, regions }: SubtractInput) {
  const [before, after] = [flattenOnWhite(resampleRows(source, result)), flattenOnWhite(result.stream())];
  const cut = regions.map((region) => ({
    region,
    before: makeCrop(region, before.channels),
    after: makeCrop(region, before.channels),
  }));
  let [y, sum, samples] = [0, 0, 0];
  const read = async (count: number) => {
    const [left, right] = [await before.read(count), await after.read(count)];
    for (const crop of cut) {
      copyRows({ ...before, y, rows: left }, crop.region, crop.before);
      copyRows({ ...before, y, rows: right }, crop.region, crop.after);
    }
    y += count;
    samples += left.length;
    const rows = new Uint8ClampedArray(left.length);
    for (let i = 0; i < left.length; i++) {
      const difference = Math.abs((left[i] as number) - (right[i] as number));
      sum += difference;
      rows[i] = difference * initialGain;
    }
    return new Uint8Array(rows.buffer);
  };
  const pixels = await readPixels(resample({ ...before, read }, size));
  const more = extraGains.find((gain) => shareBelow(pixels, 256 / gain) >= minShareInRange) ?? 1;
  const shown = await encodePreview({ ...pixels, data: pixels.data.map((value) => Math.min(255, value * more)) });
  return { difference: { ...shown, gain: initialGain * more, mean: sum / Math.max(1, samples) }, cut };
}

const shareBelow = ({ data }: Pixels, level: number) =>
  data.reduce((count, value) => count + (value < level ? 1 : 0), 0) / data.length;

const makeCrop = ({ width, height }: Region, channels: number): Pixels => {
  return { width, height, channels, data: new Uint8Array(width * height * channels) };
};

type Band = Pick<RowStream, 'width' | 'channels'> & { y: number; rows: Samples };

function copyRows({ y, width, channels, rows }: Band, region: Region, crop: Pixels): void {
  const count = rows.length / (width * channels);
  const from = Math.max(y, region.top);
  const until = Math.min(y + count, region.top + region.height);
  const length = region.width * channels;
  for (let row = from; row < until; row++) {
    const start = ((row - y) * width + region.left) * channels;
    crop.data.set(rows.subarray(start, start + length), (row - region.top) * length);
  }
}

type Pixels = { width: number; height: number; channels: number; data: Uint8Array };
type EncodedPreview = { width: number; height: number; uri: string };

async function readPixels(stream: RowStream): Promise<Pixels> {
  const { width, height, channels } = stream;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) data.set((await stream.read(1)) as Samples, y * width * channels);
  return { width, height, channels, data };
}

const maxPreviewBytes = 700_000;
const qualities = [86, 75, 60];
const maxLosslessPixels = 300_000;

async function encodePreview(pixels: Pixels): Promise<EncodedPreview> {
  if (pixels.width * pixels.height <= maxLosslessPixels) return encodeLosslessly(pixels);
  let file = Buffer.alloc(0);
  for (const quality of qualities) {
    file = await toSharp(pixels).webp({ quality }).toBuffer();
    if (file.length <= maxPreviewBytes) break;
  }
  return toPreview(pixels, file);
}

const encodeLosslessly = async (pixels: Pixels): Promise<EncodedPreview> =>
  toPreview(pixels, await toSharp(pixels).webp({ lossless: true }).toBuffer());

const toSharp = ({ width, height, channels, data }: Pixels) =>
  guardedSharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
const toPreview = ({ width, height }: Pixels, file: Buffer): EncodedPreview => ({
  ...{ width, height },
  uri: `data:image/webp;base64,${file.toString('base64')}`,
});

const isTransparent = ({ channels }: { channels: number }) => channels % 2 === 0;

function resampleRows(file: RowFile, size: { width: number; height: number }): RowStream {
  if (!isTransparent(file)) return resample(file.stream(), size);
  if (size.width < file.width || size.height < file.height) return shrink(file.stream(), size);
  const alpha = pickChannels(file.stream(), file.channels - 1, file.channels);
  return joinAlpha(resample(bleedColor(file.stream()), size), resample(alpha, size));
}

function flattenOnWhite(source: RowStream): RowStream {
  if (!isTransparent(source)) return source;
  const { channels } = source;
  const colors = channels - 1;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const flat = new Uint8Array((rows.length / channels) * colors);
    for (let i = 0, at = 0; i < rows.length; i += channels) {
      const opacity = (rows[i + colors] as number) / 255;
      for (let c = 0; c < colors; c++) flat[at++] = Math.round(255 + ((rows[i + c] as number) - 255) * opacity);
    }
    return flat;
  };
  return { ...source, channels: colors, read };
}

type Region = { left: number; top: number; width: number; height: number };
/** `scale`: result pixels per source pixel. `side`: side of a region, in result pixels. */
type Search = {
  scale: { x: number; y: number };
  result: { width: number; height: number };
  side: number;
  count: number;
};

/** Minimum distance between regions, as a share of the image's longer side. */
const minDistanceShare = 0.25;

/**
 * Finds the regions of the source with the most detail. Detail is the sum of differences between neighboring samples.
 * Regions don't overlap.
 */
async function findDetail(source: RowStream, search: Search): Promise<Region[]> {
  const { scale, result, side } = search;
  const [width, height] = [Math.min(side, result.width), Math.min(side, result.height)];
  const half = { x: Math.max(1, Math.round(width / scale.x / 2)), y: Math.max(1, Math.round(height / scale.y / 2)) };
  const { sums, columns } = await sumSteps(source, half);
  const found: (Region & { detail: number })[] = [];
  for (let at = 0; at < sums.length; at++) {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const right = column + 1 < columns ? 1 : 0;
    const below = at + columns < sums.length ? columns : 0;
    const corners = new Set([at, at + right, at + below, at + below + right]);
    const detail = [...corners].reduce((sum, corner) => sum + (sums[corner] as number), 0);
    const left = Math.min(result.width - width, Math.round(column * half.x * scale.x));
    const top = Math.min(result.height - height, Math.round(row * half.y * scale.y));
    found.push({ left, top, width, height, detail });
  }
  return pickDistantRegions(found, search);
}

/** Adds up the differences between neighboring samples in each cell of `half.x` x `half.y` source pixels. */
async function sumSteps(source: RowStream, half: { x: number; y: number }) {
  const { width, height, channels } = source;
  const columns = Math.ceil(width / half.x);
  const sums = new Float64Array(columns * Math.ceil(height / half.y));
  let above: ArrayLike<number> | undefined;
  for (let y = 0; y < height; y++) {
    const row = (await source.read(1)).slice();
    const first = Math.floor(y / half.y) * columns;
    for (let x = 1, i = channels; x < width; x++, i += channels) {
      const cell = first + Math.floor(x / half.x);
      const green = i + (channels > 1 ? 1 : 0);
      const value = row[green] as number;
      const across = Math.abs(value - (row[green - channels] as number));
      const down = above ? Math.abs(value - (above[green] as number)) : 0;
      sums[cell] = (sums[cell] as number) + across + down;
    }
    above = row;
  }
  return { sums, columns };
}

/** If too few are far apart, also picks closer regions. */
function pickDistantRegions(regions: (Region & { detail: number })[], { count, result }: Search): Region[] {
  const best = regions.toSorted((a, b) => b.detail - a.detail);
  const picked: Region[] = [];
  for (const apart of [Math.max(result.width, result.height) * minDistanceShare, 0])
    for (const { detail, ...region } of best)
      if (picked.length < count && picked.every((other) => areApart(region, other, apart))) picked.push(region);
  return picked;
}

const areApart = (a: Region, b: Region, apart: number) =>
  Math.abs(a.left - b.left) >= Math.max(a.width, apart) || Math.abs(a.top - b.top) >= Math.max(a.height, apart);
