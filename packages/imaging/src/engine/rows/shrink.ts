import { computeWrapMargin } from '../../pipeline/wrap-margin.ts';
import { bleedColor } from './channels.ts';
import { linearTable, sampleTable } from './linear-light.ts';
import { lanczosKernel, type Placement, placeInside, resampleRows } from './resample.ts';
import { openVipsFile } from './row-file.ts';
import { cropRows, type RowStream, type Samples, stackFrames, whiteOf } from './row-stream.ts';
import { openFloatRows } from './sharpen-rows.ts';
import { wrapRows } from './wrap-rows.ts';
import { writeVips } from './write-vips.ts';

type Size = { width: number; height: number };
/** `margin`: pixels on each side of the source that are outside the image. They are read, but not a part of the result. */
type ShrinkOptions = Size & { margin?: number; alpha?: 'data' | undefined };

/**
 * Shrinks a stream of one to four channels. Colors are weighted by alpha, which hides the colors of invisible pixels.
 * Sums are divided by the sum of weights before they are clamped, which keeps a flat color exact at edges. Invisible
 * pixels get the color of their neighbors, because lossy formats mix the colors of adjacent pixels. With
 * `alpha: 'data'`, all channels are shrunk alike.
 */
export function shrink(source: RowStream, { width, height, margin = 0, alpha }: ShrinkOptions): RowStream {
  if (source.width - 2 * margin === width && source.height - 2 * margin === height)
    return cropRows(source, { left: margin, top: margin, width, height });
  const { channels, depth } = source;
  const white = whiteOf(depth);
  const rows = openFloatRows(source);
  const hasAlpha = channels % 2 === 0 && alpha !== 'data';
  const nextRow = async () => (hasAlpha ? premultiply(await rows(), { channels, white }) : rows());
  const finish = (sums: Float32Array, row: Samples) => {
    if (hasAlpha) unpremultiply(sums, row, { channels, white });
    else for (let i = 0; i < sums.length; i++) row[i] = toSample(sums[i] as number, white);
  };
  const placement = placeInside(source, { width, height }, margin);
  const small = resampleRows(source, { width, height, placement, kernel: lanczosKernel }, { nextRow, finish });
  return hasAlpha ? bleedColor(small, { keepsAlpha: true }) : small;
}

const toSample = (value: number, white: number) => (value <= 0 ? 0 : value >= white ? white : value + 0.5);

type PixelFormat = { channels: number; white: number };

function premultiply(row: Float32Array, { channels, white }: PixelFormat): Float32Array {
  const last = channels - 1;
  for (let i = 0; i < row.length; i += channels) {
    const opacity = (row[i + last] as number) / white;
    if (opacity < 1) for (let c = i; c < i + last; c++) row[c] = (row[c] as number) * opacity;
  }
  return row;
}

function unpremultiply(sums: Float32Array, row: Samples, { channels, white }: PixelFormat): void {
  const last = channels - 1;
  for (let i = 0; i < sums.length; i += channels) {
    const opacity = toSample(sums[i + last] as number, white);
    row[i + last] = opacity;
    const factor = opacity < 1 ? 0 : white / (sums[i + last] as number);
    for (let c = i; c < i + last; c++) row[c] = toSample((sums[c] as number) * factor, white);
  }
}

type ShrinkLightOptions = { width: number; height: number; placement: Placement };

/**
 * Shrinks colors without alpha in linear light, which keeps the light of fine detail such as hair or stars. Sharpness is
 * kept by the Lanczos3 kernel.
 */
export function shrinkLight(source: RowStream, options: ShrinkLightOptions): RowStream {
  const toLight = linearTable(source.depth);
  const { samples, steps } = sampleTable(source.depth);
  const rows = openFloatRows(source);
  const nextRow = async () => {
    const row = await rows();
    for (let i = 0; i < row.length; i++) row[i] = toLight[row[i] as number] as number;
    return row;
  };
  const finish = (light: Float32Array, row: Samples) => {
    for (let i = 0; i < light.length; i++) {
      const value = light[i] as number;
      row[i] = samples[value <= 0 ? 0 : value >= 1 ? steps : Math.round(value * steps)] as number;
    }
  };
  return resampleRows(source, { ...options, kernel: lanczosKernel }, { nextRow, finish });
}

/** `stack`: decoded frames as a `.v` file. `width` and `height`: size of a result frame. */
type ShrinkFramesInput = Size & { stack: string; path: string; frames: number; edges?: 'wrap' | undefined };

/**
 * Shrinks the frames of a `.v` file one at a time, because stacked frames would blend with their neighbors. libvips
 * isn't used to shrink images with alpha. It clamps alpha and the multiplied colors separately, which makes edges too
 * bright.
 */
export async function shrinkFrames({ stack, path, frames, ...output }: ShrinkFramesInput): Promise<void> {
  const source = await openVipsFile(stack);
  try {
    const frameHeight = source.height / frames;
    const { width, height } = output;
    const margin = computeWrapMargin('standard', { width: source.width, height: frameHeight }, output);
    const open = (frame: number) =>
      shrink(wrapRows(source, { firstRow: frame * frameHeight, height: frameHeight, margin }), {
        width,
        height,
        margin,
      });
    const trailer = source.trailer.replace(/(name="page-height">)\d+/, `$1${height}`);
    await writeVips(path, stackFrames(frames, open), trailer);
  } finally {
    await source.close();
  }
}
