import type { Image } from '@uprez/sdk-node';
import { limits } from '../generated/facts.ts';
import type { Call } from '../host.ts';
import { ToolError } from '../tool-error.ts';

const ways = ['image_url', 'image', 'image_path'] as const;
const dataUrl = /^data:[\w.+/-]{1,100};base64,/;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Whether a call names an image. */
export const hasImage = ({ args }: Pick<Call, 'args'>): boolean => ways.some((way) => args[way] !== undefined);

/** Opens the image of a call. Throws ToolError if there isn't exactly one, or if it may not be read. */
export async function readImage({ args, host: { files, openImage } }: Pick<Call, 'args' | 'host'>): Promise<Image> {
  const [way, other] = ways.filter((name) => args[name] !== undefined);
  if (!way || other) {
    const possible = ways.filter((name) => files || name !== 'image_path').map((name) => `"${name}"`);
    throw new ToolError(`Send the image as exactly one of ${possible.join(', ')}.`);
  }
  const value = String(args[way]);
  if (way === 'image') return (await openImage?.(value)) ?? decode(value);
  if (way === 'image_path' && files) return files.openImage(value);
  // The client of the API takes other texts for paths.
  if (!/^https:\/\//i.test(value)) throw new ToolError(`"image_url" must be a URL that begins with https://.`);
  return value;
}

function decode(text: string): Uint8Array {
  const digits = text.replace(dataUrl, '').replaceAll(/\s/g, '');
  if (!base64.test(digits) || digits === '')
    throw new ToolError('"image" must be base64, optionally prefixed with "data:image/...;base64,".');
  const bytes = Buffer.from(digits, 'base64');
  if (bytes.length > limits.jsonImageBytes)
    throw new ToolError(
      `"image" has ${bytes.length} bytes. The limit is ${limits.jsonImageBytes} bytes. Send larger images as "image_url".`,
    );
  return bytes;
}
