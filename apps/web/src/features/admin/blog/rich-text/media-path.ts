import { mediaIdOf, mediaPath } from '@uprez/contracts/texts/media';

/** How texts refer to a pasted image of the media library, in whichever version it was copied. Undefined for others. */
export function findMediaPath(src: string, origin: string): string | undefined {
  const path = src.startsWith(`${origin}/`) ? src.slice(origin.length) : src;
  const id = mediaIdOf(path.split('/', 3).join('/'));
  return id && mediaPath(id);
}
