import { resample } from '../../engine/rows/resample.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import type { RowStream, Samples } from '../../engine/rows/row-stream.ts';
import { encodeExactly, encodePreview, type Pixels, readPixels, type Shown } from './encode-image.ts';
import { findDetail, type Region } from './find-detail.ts';
import { onWhite, plainRows } from './plain-rows.ts';

type Size = { width: number; height: number };
type Crop<Image> = { region: Region; before: Image; after: Image };
export type Comparison = {
  before: Shown;
  after: Shown;
  /** `gain`: amplification. `mean`: levels of 255, without amplification. */
  difference: Shown & { gain: number; mean: number };
  crops: Crop<Shown>[];
  isTransparent: boolean;
};

/** Longer side of a preview, pixels. */
const previewSide = 1_600;
const crops = { side: 320, count: 3 };
/** Amplification of differences before and after they are reduced to the preview. */
const firstGain = 4;
const moreGains = [8, 4, 2];
const nearlyAll = 0.995;

/** Compare a source, resampled to the size of the result, with the result. Memory is bounded by rows and previews. */
export async function compareImages(source: RowFile, result: RowFile): Promise<Comparison> {
  const size = previewSize(result);
  const regions = await findDetail(onWhite(source.stream()), {
    ...crops,
    result,
    scale: { x: result.width / source.width, y: result.height / source.height },
  });
  const { difference, cut } = await subtract({ source, result, size, regions });
  const show = async (file: RowFile) => encodePreview(await readPixels(plainRows(file, size)));
  return {
    before: await show(source),
    after: await show(result),
    difference,
    crops: await Promise.all(
      cut.map(async ({ region, before, after }) => ({
        region,
        before: await encodeExactly(before),
        after: await encodeExactly(after),
      })),
    ),
    isTransparent: [source, result].some(({ channels }) => channels % 2 === 0),
  };
}

function previewSize({ width, height }: Size): Size {
  const shrink = Math.min(1, previewSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
}

type Subtraction = { source: RowFile; result: RowFile; size: Size; regions: Region[] };

/** Subtract the images, reduce the difference to a preview, and copy regions of both images. */
async function subtract({ source, result, size, regions }: Subtraction) {
  const [before, after] = [onWhite(plainRows(source, result)), onWhite(result.stream())];
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
      rows[i] = difference * firstGain;
    }
    return new Uint8Array(rows.buffer);
  };
  const pixels = await readPixels(resample({ ...before, read }, size));
  const more = moreGains.find((gain) => shareBelow(pixels, 256 / gain) >= nearlyAll) ?? 1;
  const shown = await encodePreview({ ...pixels, data: pixels.data.map((value) => Math.min(255, value * more)) });
  return { difference: { ...shown, gain: firstGain * more, mean: sum / Math.max(1, samples) }, cut };
}

const shareBelow = ({ data }: Pixels, level: number) =>
  data.reduce((count, value) => count + (value < level ? 1 : 0), 0) / data.length;

const makeCrop = ({ width, height }: Region, channels: number): Pixels => ({
  ...{ width, height, channels },
  data: new Uint8Array(width * height * channels),
});

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
