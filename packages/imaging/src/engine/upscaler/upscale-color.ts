import { bleedColor, joinAlpha, pickChannels, repeatGrey } from '../rows/channels.ts';
import { resample } from '../rows/resample.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { shrink } from '../rows/shrink.ts';
import { matchColor } from './match-color.ts';

/** Upscale a stream by the factor of networks. */
export type Upscale = (source: RowStream) => RowStream;

type Sizing = { passes: number; output: Size; upscale: Upscale | undefined };

/**
 * Upscale the colors of a frame with a network, match them to the source after each pass, and resample them to the output size.
 * Where the output of a pass has an integer multiple of the size of its input, it is reduced before the colors are matched:
 * a quarter of the samples at a factor of 2.
 */
export function upscaleColor(source: RowStream, { passes, output: { width, height }, upscale }: Sizing): RowStream {
  const size = { width, height };
  return resample(runPasses(source, { passes, upscale, size }), { ...size, sharpen: passes === 0 });
}

type Passes = Pick<Sizing, 'passes' | 'upscale'> & { size?: Size };

function runPasses(source: RowStream, { passes, upscale, size }: Passes): RowStream {
  let color = source;
  for (let pass = 1; upscale && pass <= passes; pass++) {
    const reduced = size && pass === passes && isMultiple(color, size) ? size : undefined;
    color = matchColor(color, (small) => (reduced ? resample(upscale(small), reduced) : upscale(small)));
  }
  return color;
}

/** `isGrey`: the frame is processed as one channel, although it may have three. */
type Frame = Sizing & { isGrey: boolean };

/**
 * Bring a frame of one to four channels to its output size. Colors are upscaled without alpha, which is resampled. Where a side
 * shrinks, colors are weighted by alpha, because the kernel reaches farther than colors spread into transparent areas.
 */
export function upscaleFrame(open: () => RowStream, { isGrey, ...sizing }: Frame): RowStream {
  const { channels, width, height } = open();
  const { output: size, passes } = sizing;
  const inColor = (color: RowStream) => (isGrey && channels > 2 ? repeatGrey(color) : color);
  const pick = (color: RowStream) => (isGrey ? pickChannels(color, 0, 1) : color);
  if (channels % 2 === 1) return inColor(upscaleColor(pick(open()), sizing));
  const color = pick(bleedColor(open()));
  const alpha = pickChannels(open(), channels - 1, channels);
  const shrinks = size.width < width || size.height < height;
  if (!shrinks) return joinAlpha(inColor(upscaleColor(color, sizing)), resample(alpha, size));
  const large = passes > 0 ? runPasses(color, sizing) : color;
  return shrink(joinAlpha(inColor(large), resample(alpha, large)), size);
}

type Size = { width: number; height: number };

function isMultiple(source: Size, { width, height }: Size): boolean {
  const factor = width / source.width;
  return Number.isInteger(factor) && factor === height / source.height;
}
