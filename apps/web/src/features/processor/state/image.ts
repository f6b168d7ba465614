import type { Size } from '../../../lib/format/format.ts';
import { readImageSize } from '../../../lib/images/image-size.ts';
import { readHiddenImage } from '../../../lib/images/read-hidden-image.ts';
import { type ImageFacts, readImageFacts } from '../../../lib/images/read-image-facts.ts';

export type SourceImage = {
  source: File;
  url: string;
  /** Undefined if neither the browser nor this app can read the image's size. */
  size?: Size;
  /** Name of the format if the browser can't display it. */
  hiddenFormat?: string;
  /** Name of the format if the browser supports it but can't decode this file. */
  damagedFormat?: string;
} & ImageFacts;

/** Doesn't throw for unreadable files, because the server decides whether a file is an image. */
export async function readImage(source: File): Promise<SourceImage> {
  const url = URL.createObjectURL(source);
  const [size, facts] = await Promise.all([readImageSize(url), readImageFacts(source)]);
  const shown = size ? { size } : await readHiddenImage(source).catch(() => ({}));
  return { source, url, ...shown, ...facts };
}
