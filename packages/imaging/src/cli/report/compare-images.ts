import { resample } from '../../engine/rows/resample.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import { cutRows, makeCrop } from './cut-rows.ts';
import { encodeExactly, encodePreview, type Pixels, readPixels, type Shown } from './encode-image.ts';
import { findDetail, type Region } from './find-detail.ts';
import { onWhite, plainRows } from './plain-rows.ts';
import { subtractRows } from './subtract-rows.ts';

type Size = { width: number; height: number };
type Crop<Image> = { region: Region; before: Image; after: Image };
export type Comparison = {
  before: Shown;
  after: Shown;
  /** `gain`: how many times each difference is enlarged. `mean`: levels of 255, not enlarged. */
  difference: Shown & { gain: number; mean: number };
  /** Pixel for pixel. */
  crops: Crop<Shown>[];
  isTransparent: boolean;
};

/** Longer side of a preview, pixels. */
const previewSide = 1_600;
const crops = { side: 320, count: 3 };
/** Differences are enlarged this much before they are reduced to the preview, and further while nearly all stay below white. */
const firstGain = 4;
const moreGains = [8, 4, 2];
const nearlyAll = 0.995;

/**
 * Compare a source (the part of it that was used) with its result, as images for a page. "Before" is always the source
 * brought to the result's size by plain resampling. Memory is bounded by rows and previews, not by the images.
 */
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

/** The difference in full, reduced to a preview, and the regions of both images that passed by. */
async function subtract({ source, result, size, regions }: Subtraction) {
  const enlarged = onWhite(plainRows(source, result));
  const made = onWhite(result.stream());
  const { width, channels } = enlarged;
  const cut = regions.map((region) => ({
    region,
    before: makeCrop(region, channels),
    after: makeCrop(region, channels),
  }));
  const { rows, mean } = subtractRows(enlarged, made, {
    gain: firstGain,
    onRows: (y, before, after) => {
      for (const crop of cut) {
        cutRows({ y, width, channels, rows: before }, crop.region, crop.before);
        cutRows({ y, width, channels, rows: after }, crop.region, crop.after);
      }
    },
  });
  const pixels = await readPixels(resample(rows, size));
  const more = moreGains.find((gain) => shareBelow(pixels, 256 / gain) >= nearlyAll) ?? 1;
  const shown = await encodePreview({ ...pixels, data: pixels.data.map((value) => Math.min(255, value * more)) });
  return { difference: { ...shown, gain: firstGain * more, mean: mean() }, cut };
}

const shareBelow = ({ data }: Pixels, level: number) =>
  data.reduce((count, value) => count + (value < level ? 1 : 0), 0) / data.length;
