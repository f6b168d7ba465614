import type { ImagePlan } from '@uprez/contracts/image-plan';
import { usedSize } from '../../plan/target-size.ts';
import { openSource } from './open-source.ts';

/** Longer side of the reference, pixels. */
const side = 256;

/**
 * Decode the source once more, small, to `path` (a `.v` file): what a picture that was decoded straight to its
 * size is compared with. JPEG is shrunk while it is decoded, which costs little; the cut-out is made afterwards.
 */
export async function makeReference(file: Buffer, plan: ImagePlan, path: string): Promise<void> {
  const { source, crop, output } = plan;
  const used = usedSize(plan);
  const scale = Math.min(1, side / Math.max(used.width, used.height));
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  const { picture } = await openSource(file, plan);
  const upright = output.frames > 1 ? picture : picture.autoOrient();
  const small = upright.resize({ width: scaled(source.width), height: scaled(source.height), fit: 'fill' });
  if (!crop) return void (await small.toFile(path));
  const [width, height] = [scaled(crop.width), scaled(crop.height)];
  const left = Math.min(Math.round(crop.left * scale), scaled(source.width) - width);
  const top = Math.min(Math.round(crop.top * scale), scaled(source.height) - height);
  await small.extract({ left, top, width, height }).toFile(path);
}
