import PQueue from 'p-queue';
import type { Size } from '../../../lib/format/format.ts';

/** What is known of an image before it is sent; nothing of one that this browser cannot draw. */
export type Look = { size?: Size | undefined; bitmap?: ImageBitmap | undefined };

/** Longer side of a thumbnail, device pixels. */
const thumbnailPx = 96;

const looks = new Map<File, Promise<Look>>();
/** One at a time: decoding a hundred photos at once would exhaust the memory. */
const decoding = new PQueue({ concurrency: 1 });

/** The size in pixels: browsers read it from the header and decode nothing before they paint. */
function readSize(file: File): Promise<Size | undefined> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  return new Promise<Size | undefined>((resolve) => {
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => resolve(undefined);
    image.src = url;
  }).finally(() => URL.revokeObjectURL(url));
}

async function look(file: File, isWanted: () => boolean): Promise<Look | undefined> {
  if (!isWanted()) return undefined;
  const size = await readSize(file);
  if (!size) return {};
  const side = size.width >= size.height ? 'resizeHeight' : 'resizeWidth';
  const options = { [side]: Math.min(thumbnailPx, size.width, size.height), resizeQuality: 'medium' as const };
  // Decoded beside the page's own thread.
  const bitmap = await createImageBitmap(file, options).catch(() => undefined);
  return { size, bitmap };
}

/** Size and thumbnail of a file; undefined if `isWanted` returns false when its turn comes. */
export async function lookAtFile(file: File, isWanted: () => boolean): Promise<Look | undefined> {
  if (looks.has(file)) return looks.get(file);
  const found = await decoding.add(() => look(file, isWanted));
  if (found) looks.set(file, Promise.resolve(found));
  return found;
}

/** Forget what was seen of files that have left the list. */
export function forgetLooks(kept: ReadonlySet<File>): void {
  for (const [file, found] of looks) {
    if (kept.has(file)) continue;
    looks.delete(file);
    void found.then(({ bitmap }) => bitmap?.close());
  }
}
