import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { usedSize } from '../../plan/target-size.ts';
import { openPixels, type Pixels } from './open-pixels.ts';
import { openSource } from './open-source.ts';

/** The result's size, shrunk so that the longer side is that of a thumbnail. */
export function smallSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, limits.thumbnailSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** All frames of the finished pixels in the size of a thumbnail, as they are (profile, depth, alpha), to `path`, a `.v` file. */
export async function makeSmall(pixels: Pixels, { output }: ImagePlan, path: string): Promise<void> {
  await openPixels(pixels, output.frames)
    .resize({ ...smallSize(output), fit: 'fill' })
    .toFile(path);
}

/**
 * Decode the source once more, straight to that size: what an image that was decoded to its output size is compared
 * with. JPEG is shrunk while it is decoded, which costs little; the cut-out is made afterwards.
 */
export async function makeReference(file: Buffer, plan: ImagePlan, path: string): Promise<void> {
  const { source, crop, output } = plan;
  const used = usedSize(plan);
  const size = smallSize(output);
  const [across, down] = [size.width / used.width, size.height / used.height];
  const [width, height] = [Math.round(source.width * across), Math.round(source.height * down)];
  // What is wrong with the file has been found, or mended, when it was decoded.
  const { image } = await openSource(file, plan, 'none');
  const upright = source.frames > 1 ? image : image.autoOrient();
  const whole = upright.resize({ width, height, fit: 'fill' });
  const left = Math.min(Math.round((crop?.left ?? 0) * across), width - size.width);
  const top = Math.min(Math.round((crop?.top ?? 0) * down), height - size.height);
  await (crop ? whole.extract({ left, top, ...size }) : whole).toFile(path);
}
