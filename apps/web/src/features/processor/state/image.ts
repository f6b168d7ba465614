import type { Size } from '../../../lib/format/format.ts';
import { readImageSize } from '../../../lib/images/image-size.ts';
import { readHiddenImage } from '../../../lib/images/read-hidden-image.ts';
import { type ImageFacts, readImageFacts } from '../../../lib/images/read-image-facts.ts';

export type SourceImage = {
  source: File;
  url: string;
  /** Undefined if neither the browser nor this app can read it. */
  size?: Size;
  /** Name of the format, if the browser can't show it. */
  hiddenFormat?: string;
  /** Name of the format, if the browser supports it but couldn't open this file. */
  damagedFormat?: string;
} & ImageFacts;

/** Reads size, frames, and traits of a file in the browser. Never rejects: the server decides whether it is an image. */
export async function readImage(source: File): Promise<SourceImage> {
  const url = URL.createObjectURL(source);
  const [size, facts] = await Promise.all([readImageSize(url), readImageFacts(source)]);
  const shown = size ? { size } : await readHiddenImage(source).catch(() => ({}));
  return { source, url, ...shown, ...facts };
}
