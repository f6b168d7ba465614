import type { AiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { listInputs, noStrips, tilePasses } from './choose-passes.ts';
import { paddedSize } from './estimate.ts';

/** Engine whose place in a pipeline a custom model takes. Its limits are those of the slowest network. */
export const customModelSlot = 'photo' satisfies AiEngine;

/** Facts about a custom model that its tiles depend on. See `modelMeasurementsSchema` of the models package. */
type MeasuredModel = { overlap: number; bytesPerPixel: number };

const maxCore = 256;
/** Least memory that is assumed per pixel of a tile: input, output, and one resampled output, in floats. */
const minBytesPerPixel = 1_000;
/** Pixels that are blended on each side of a tile border. They need context too. */
const fade = 8;

/** Returns a pipeline for `customModelSlot` with the tiles that a custom model needs. Custom models run in tiles only. */
export function withCustomTiles(pipeline: ImagePipeline, model: MeasuredModel): ImagePipeline {
  const { passes, output } = pipeline;
  const { tile, tiles } = tilePasses(
    {
      maxCore,
      overlap: model.overlap + fade,
      fade,
      pixelBytes: Math.max(minBytesPerPixel, model.bytesPerPixel),
    },
    listInputs(paddedSize(pipeline), passes),
    output.bitDepth / 8,
  );
  return { ...pipeline, ...noStrips, tile, tiles: tiles * output.frames };
}
