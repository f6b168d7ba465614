import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Size } from '../format/format.ts';

/** Maximum number of pixels that a browser tab can decode. At 4 bytes each, they take 400 MB. */
const maxPixels = 100_000_000;

/** Whether an image is small enough to be displayed. Larger ones can only be downloaded. */
export const isDisplayable = ({ width, height }: Size): boolean => width * height <= maxPixels;

/** Whether browsers display a result. Otherwise, its thumbnail can be displayed. */
export const isResultDisplayable = (format: OutputFormat, size: Size): boolean =>
  formatTraits[format].shown && isDisplayable(size);

/** Returns the size of the image at a URL, or undefined if the browser can't decode the image. */
export function readImageSize(url: string): Promise<Size | undefined> {
  const image = new Image();
  return new Promise((resolve) => {
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => resolve(undefined);
    image.src = url;
  });
}
