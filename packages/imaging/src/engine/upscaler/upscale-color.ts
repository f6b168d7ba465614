import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { Area, Part } from '../detail/plan-parts.ts';
import { bleedColor, joinAlpha, pickChannels, repeatGray } from '../rows/channels.ts';
import { type Placement, placeAxis, resample } from '../rows/resample.ts';
import { restoreLowFrequencies } from '../rows/restore-low-frequencies.ts';
import { cropRows, makeScratchBuffers, type RowStream, type Samples } from '../rows/row-stream.ts';
import { shrink, shrinkLight } from '../rows/shrink.ts';
import { matchColor } from './match-color.ts';

type Size = { width: number; height: number };

export type Upscale = (source: RowStream) => RowStream;

type UpscaleInput = {
  passes: number;
  output: Size & Pick<ImagePipeline['output'], 'alpha'>;
  upscale: Upscale | undefined;
  /** Processes only a part of the image, whose size is `whole`. The stream then has only the part's source pixels. */
  placed?: { part: Part; whole: Size } | undefined;
  /** Pixels on each side of the source that are outside the image. 0 by default. */
  margin?: number;
};

/**
 * Upscales the colors of a frame with a network, matches them to the source after each pass, and resamples them to the
 * output size. If the output size is an integer multiple of the size before the last pass, resamples the result of the
 * last pass before matching its colors. At a factor of 2, this leaves a quarter of the samples to match.
 */
export function upscaleColor(open: () => RowStream, input: UpscaleInput): RowStream {
  const { passes, output, upscale, placed, margin = 0 } = input;
  if (placed && upscale) return upscalePart(open, { ...placed, output, upscale });
  const source = open();
  const size = sizeOf(output);
  const large = runPasses(source, { passes, upscale, size, margin });
  return resample(large, { ...size, sharpen: passes === 0, margin: scaleMargin(margin, source, large) });
}

const scaleMargin = (margin: number, source: Size, large: Size) => (margin * large.width) / source.width;

type PassInput = Pick<UpscaleInput, 'passes' | 'upscale' | 'margin'> & { size?: Size };

function runPasses(source: RowStream, { passes, upscale, size, margin = 0 }: PassInput): RowStream {
  let color = source;
  for (let pass = 1; upscale && pass <= passes; pass++) {
    const reduced = size && pass === passes ? findMultiple(color, size, scaleMargin(margin, source, color)) : undefined;
    color = matchColor(color, (small) => (reduced ? resample(upscale(small), reduced) : upscale(small)));
  }
  return color;
}

/**
 * Returns the size of the source, with its margin, at the factor of the output. Returns undefined unless that is an
 * integer.
 */
function findMultiple(source: Size, { width, height }: Size, margin: number): Size | undefined {
  const factor = width / (source.width - 2 * margin);
  if (!Number.isInteger(factor) || factor !== height / (source.height - 2 * margin)) return undefined;
  return multiplySize(source, factor);
}

/** Upscales a part. If the image is processed at its own size, restores the low frequencies of the source. */
function upscalePart(open: () => RowStream, input: PartInput): RowStream {
  const { whole, output, part } = input;
  const image = upscaleAtWorkingSize(open(), input);
  if (output.width !== whole.width || output.height !== whole.height) return image;
  const { left, top, width, height } = part.output;
  const area = { left: left - part.source.left, top: top - part.source.top, width, height };
  return restoreLowFrequencies(image, cropRows(open(), area));
}

type PartInput = { part: Part; whole: Size; output: Size; upscale: Upscale };

/** Shrinks the colors of a part to its working size, upscales them with the network, and matches them to the source. */
function upscaleAtWorkingSize(source: RowStream, { part, whole, output, upscale }: PartInput): RowStream {
  const { factor, grid, area } = part;
  const small =
    factor < 1
      ? shrinkLight(source, { ...sizeOf(area), placement: placeOn([whole, part.source], [grid, area]) })
      : cropRows(source, { ...area, left: area.left - part.source.left, top: area.top - part.source.top });
  const toOutput = Math.round(output.width / grid.width);
  // Colors are matched at the output size if that is an integer multiple of the working size.
  const isInteger = Math.abs(grid.width * toOutput - output.width) < 1e-6 * output.width;
  const multiple = isInteger ? toOutput : networkFactor;
  const large = multiplyArea(area, multiple);
  const matched = matchColor(small, (rows) => resample(upscale(rows), sizeOf(large)));
  const placement = placeOn([multiplySize(grid, multiple), large], [output, part.output]);
  return isOne(placement.x.ratio) && isOne(placement.y.ratio)
    ? cropRows(matched, { ...part.output, left: part.output.left - large.left, top: part.output.top - large.top })
    : resample(matched, { ...sizeOf(part.output), placement });
}

const isOne = (ratio: number) => Math.abs(ratio - 1) < 1e-9;
const sizeOf = ({ width, height }: Size): Size => ({ width, height });
const multiplySize = ({ width, height }: Size, by: number): Size => ({ width: width * by, height: height * by });
const multiplyArea = ({ left, top, ...size }: Area, by: number): Area => ({
  ...{ left: left * by, top: top * by },
  ...multiplySize(size, by),
});

type Placed = [whole: Size, part: Area];

const placeOn = ([from, source]: Placed, [to, result]: Placed): Placement => ({
  x: placeAxis({ whole: from.width, start: source.left }, { whole: to.width, start: result.left }),
  y: placeAxis({ whole: from.height, start: source.top }, { whole: to.height, start: result.top }),
});

/** `isGray`: whether the frame is processed as one channel, even if it has three. */
export type FrameInput = UpscaleInput & { engine: JobEngine; isGray: boolean };

/**
 * Resizes a frame of one to four channels to its output size. `nearest` repeats its pixels. Otherwise, colors are
 * upscaled without alpha, and alpha is resampled. Alpha that is data is resampled like the colors of `standard`, and no
 * color depends on it. Otherwise, if a side shrinks, colors are weighted by alpha, because the kernel then reaches
 * farther into transparent areas than the colors were spread.
 */
export function upscaleFrame(open: () => RowStream, { engine, isGray, ...sizing }: FrameInput): RowStream {
  if (engine === 'nearest') return repeatPixels(open(), sizing.output);
  const { channels, width, height } = open();
  const { output, passes, placed, margin = 0 } = sizing;
  const inColor = (color: RowStream) => (isGray && channels > 2 ? repeatGray(color) : color);
  const isData = output.alpha === 'data';
  const dropAlpha = (rows: RowStream) => (isData ? pickChannels(rows, 0, channels - 1) : bleedColor(rows));
  const openColor = () => {
    const color = channels % 2 === 1 ? open() : dropAlpha(open());
    return isGray ? pickChannels(color, 0, 1) : color;
  };
  const upscaled = () => upscaleColor(openColor, sizing);
  if (channels % 2 === 1) return inColor(upscaled());
  const alpha = pickChannels(open(), channels - 1, channels);
  if (placed) {
    const placement = placeOn([placed.whole, placed.part.source], [output, placed.part.output]);
    const opacity = resample(alpha, { ...sizeOf(placed.part.output), placement });
    return joinAlpha(inColor(upscaled()), opacity);
  }
  const size = sizeOf(output);
  const shrinks = size.width < width - 2 * margin || size.height < height - 2 * margin;
  if (!shrinks) {
    const large = resample(alpha, { ...size, margin, sharpen: isData });
    return joinAlpha(inColor(upscaled()), large);
  }
  const large = passes > 0 ? runPasses(openColor(), sizing) : openColor();
  const whole = joinAlpha(inColor(large), resample(alpha, sizeOf(large)));
  return shrink(whole, { ...size, alpha: output.alpha, margin: scaleMargin(margin, { width, height }, large) });
}

/** Repeats each pixel to a whole multiple of the size. All channels stay as they are, including invisible colors. */
function repeatPixels(source: RowStream, { width, height }: Size): RowStream {
  const [across, down] = [width / source.width, height / source.height];
  const rowLength = width * source.channels;
  const makeRows = makeScratchBuffers(source.depth);
  let wide: Samples | undefined;
  let y = 0;
  const read = async (count: number) => {
    const rows = makeRows(count * rowLength);
    for (let row = 0; row < count; row++, y++) {
      if (y % down === 0 || !wide) wide = repeatInRow(await source.read(1), source.channels, across);
      rows.set(wide, row * rowLength);
    }
    return rows;
  };
  return { ...source, width, height, read };
}

function repeatInRow(row: Samples, channels: number, times: number): Samples {
  const wide = row instanceof Uint16Array ? new Uint16Array(row.length * times) : new Uint8Array(row.length * times);
  for (let from = 0, to = 0; from < row.length; from += channels)
    for (let i = 0; i < times; i++) for (let c = from; c < from + channels; c++) wide[to++] = row[c] as number;
  return wide;
}
