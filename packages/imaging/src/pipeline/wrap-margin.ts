import { isAiEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

type Size = { width: number; height: number };
type WrappedOutput = Size & Pick<ImagePipeline['output'], 'edges'>;

/** Side of the blocks in which colors are matched. Whole blocks in the margin keep their grid aligned with the image. */
const blockSide = 16;
/**
 * Pixels that a result depends on besides those of a kernel: 34 for the first pass of a network, a quarter of it for
 * the second, and less than 3 for all others. Without a network, sharpening sees 2 pixels.
 */
const seenPixels = { network: 45, none: 4 };
/** Reach of the widest kernel (Lanczos3), in pixels of the smaller of both images. */
const kernelReach = 3;

/**
 * Returns how many pixels of the opposite border are added to each side of an image before it is processed. 0 unless
 * `edges` is `wrap`. Repeated pixels need none. `used`: size of the used part of the source.
 */
export function computeWrapMargin(engine: JobEngine, used: Size, { edges, width, height }: WrappedOutput): number {
  if (edges !== 'wrap' || engine === 'nearest') return 0;
  const ratio = Math.max(1, used.width / width, used.height / height);
  const seen = (isAiEngine(engine) ? seenPixels.network : seenPixels.none) + kernelReach * ratio;
  return blockSide * Math.ceil(seen / blockSide);
}

/** Returns the size of an image with its margin. */
export const addMargin = ({ width, height }: Size, margin: number): Size => ({
  width: width + 2 * margin,
  height: height + 2 * margin,
});
