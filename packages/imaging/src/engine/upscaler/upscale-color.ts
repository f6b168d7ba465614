import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { resample } from '../rows/resample.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { matchColor } from './match-color.ts';

/** Upscale a stream by the factor of networks. */
export type Upscale = (source: RowStream) => RowStream;

type Sizing = { passes: number; output: Pick<ImagePlan['output'], 'width' | 'height'>; upscale: Upscale | undefined };

/**
 * Upscale the colors of a frame with a network, match them to the source after each pass, and resample them to the output size.
 * Where the output of a pass has an integer multiple of the size of its input, it is reduced before the colors are matched:
 * a quarter of the samples at a factor of 2.
 */
export function upscaleColor(source: RowStream, { passes, output: { width, height }, upscale }: Sizing): RowStream {
  const size = { width, height };
  let color = source;
  for (let pass = 1; upscale && pass <= passes; pass++) {
    const reduces = pass === passes && isMultiple(color, size);
    color = matchColor(color, (small) => (reduces ? resample(upscale(small), size) : upscale(small)));
  }
  return resample(color, { ...size, sharpen: passes === 0 });
}

type Size = { width: number; height: number };

function isMultiple(source: Size, { width, height }: Size): boolean {
  const factor = width / source.width;
  return Number.isInteger(factor) && factor === height / source.height;
}
