import { open } from 'node:fs/promises';
import { findAlphaFlag } from '../../canvas/show-webp-canvas.ts';

/**
 * Set the alpha flag of a WebP file with an extended header. libwebp leaves it out where each frame of an animation is opaque
 * in its rectangle, and decoders that rely on it fill the rest of the canvas with black.
 */
export async function setWebpAlpha(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { buffer: header } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const flag = findAlphaFlag(header);
    if (flag) await file.write(Buffer.from([flag.value]), 0, 1, flag.at);
  } finally {
    await file.close();
  }
}
