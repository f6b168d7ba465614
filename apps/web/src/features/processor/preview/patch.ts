import { limits } from '@uprez/contracts/policy/limits';
import type { Size } from '../../../lib/format/format.ts';

/** A region of an image, in the image's pixels. */
export type Patch = Size & { left: number; top: number };
export type Point = { x: number; y: number };

/** Longest side of a patch, in pixels. Half of the server's limit, because slow engines must also finish in time. */
const side = limits.previewSide / 2;

const clamp = (value: number, max: number) => Math.round(Math.min(Math.max(value, 0), max));

export function makePatchAround({ x, y }: Point, { width, height }: Size): Patch {
  const patch = { width: Math.min(side, width), height: Math.min(side, height) };
  return {
    ...patch,
    left: clamp(x - patch.width / 2, width - patch.width),
    top: clamp(y - patch.height / 2, height - patch.height),
  };
}

/** Returns the point moved by half a patch in the direction of an arrow key. Undefined for other keys. */
export function movePoint({ x, y }: Point, key: string, { width, height }: Size): Point | undefined {
  const step = side / 2;
  const moves: Record<string, Point> = {
    ArrowLeft: { x: x - step, y },
    ArrowRight: { x: x + step, y },
    ArrowUp: { x, y: y - step },
    ArrowDown: { x, y: y + step },
  };
  const next = moves[key];
  return next && { x: clamp(next.x, width), y: clamp(next.y, height) };
}

/** Crops a patch at full resolution and encodes it as PNG. Throws if the browser can't decode the file. */
export async function cropPatch(file: Blob, { left, top, width, height }: Patch): Promise<Blob> {
  // Crops with `drawImage`, because `createImageBitmap` selects the wrong region in Chromium for photos rotated by 90
  // degrees (EXIF orientations 6 and 8).
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(bitmap, left, top, width, height, 0, 0, width, height);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
