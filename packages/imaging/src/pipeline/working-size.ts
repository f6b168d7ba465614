import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { networkFactor } from './choose-passes.ts';
import { computeFactor, usedSize } from './compute-target-size.ts';

type SizedPipeline = Pick<ImagePipeline, 'engine' | 'passes' | 'source' | 'crop' | 'output'>;

/** Working factors of `crisp`: `sharp` for most parts, and `soft` for parts with an effective resolution up to `softScale`. */
const crisp = { sharp: 2 / 3, soft: 0.5, softScale: 0.65 } as const;
/**
 * Largest working factor of images that are enhanced at their own size. Networks remove more blur from a smaller image,
 * and its low frequencies are taken from the source.
 */
const enhancing = 2 / 3;
/** How much smaller a working factor may be so that the output is an integer multiple of it. */
const tolerance = 0.07;

/**
 * Whether a network may process the image at a smaller size. This applies to still images that are upscaled with one
 * pass by less than the factor of the networks, or enhanced at their own size. Images that wrap are processed as a
 * whole, because parts end at the border. So are images whose alpha is data, because detail is measured as it appears
 * with transparency.
 */
export function mayWorkSmaller({ engine, passes, output, ...image }: SizedPipeline): boolean {
  const { width, height } = usedSize(image);
  const isLarger = output.width >= width && output.height >= height;
  const mayDivide = output.frames === 1 && output.edges !== 'wrap' && output.alpha !== 'data';
  return (
    isAiEngine(engine) &&
    passes === 1 &&
    mayDivide &&
    isLarger &&
    computeFactor({ width, height }, output) < networkFactor
  );
}

/**
 * Returns the largest working factor of `crisp` for an image that is upscaled by `target`: about 2/3, and at least a
 * quarter of the target, because networks upscale by 4.
 */
export function largestCrispFactor(target: number): number {
  const factor = Math.max(crisp.sharp, target / networkFactor);
  const fraction = target / Math.ceil(target / factor - 1e-6);
  return fraction >= (1 - tolerance) * factor ? fraction : factor;
}

/** Returns the working factor of `crisp` for a block with an effective resolution of `scale`. */
export const crispFactor = (scale: number, target: number): number =>
  scale <= crisp.softScale ? Math.max(crisp.soft, target / networkFactor) : largestCrispFactor(target);

/** Returns the largest working factor of a pipeline, as a bound for its work. */
export function largestWorkingFactor(pipeline: SizedPipeline): number {
  if (!mayWorkSmaller(pipeline)) return 1;
  const { output } = pipeline;
  const { width, height } = usedSize(pipeline);
  if (output.width === width && output.height === height) return enhancing;
  return output.detail === 'crisp' ? largestCrispFactor(computeFactor({ width, height }, output)) : 1;
}
