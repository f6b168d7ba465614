import type { CustomModelFacts } from '@uprez/contracts/schemas/image-pipeline';

const maxCore = 256;
/** Least memory that is assumed per pixel of a tile: input, output, and one resampled output, in floats. */
const minBytesPerPixel = 1_000;
/** Pixels that are blended on each side of a tile border. They need context too. */
const fade = 8;
/** Copies of the weights in memory: those in the file, and those that ONNX Runtime prepares. */
const weightCopies = 2;

/** Returns the traits of a custom model. Custom models run in tiles only. See `networkTraits`. */
export const customTraits = ({ overlap, bytesPerPixel, sizeBytes }: CustomModelFacts) => ({
  ...{ maxCore, overlap: overlap + fade, fade },
  pixelBytes: Math.max(minBytesPerPixel, bytesPerPixel),
  weightBytes: weightCopies * sizeBytes,
  strip: null,
});
