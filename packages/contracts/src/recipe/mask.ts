import { AppError } from '../errors/app-error.ts';
import { limits } from '../policy/limits.ts';
import { formatBytes } from '../texts/format.ts';
import type { Fields } from './parse-recipe.ts';

export const maskField = 'mask';
/** Maximum length of a text field with a mask, in bytes: base64 with the prefix of a data URL, and white space. */
export const maxMaskFieldBytes = 4 * Math.ceil(limits.maskBytes / 3) + 100;

type Size = { width: number; height: number };

/**
 * Texts of the mask, which is a PNG and therefore no field of `recipeFields`. `allowed` and `description` are used like
 * those of the fields.
 */
export const maskFacts = {
  allowed: `a PNG of at most ${formatBytes(limits.maskBytes)}`,
  description:
    'Areas that AI leaves alone: a PNG in the size of the image, or smaller with the same aspect ratio; white areas are resampled without AI, black areas are upscaled with AI; requires an AI engine',
} as const;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const headerName = 'IHDR';
/** Length of the signature, and of the IHDR chunk up to its interlace method. */
const headerBytes = 29;
/** Characters of base64 that contain the header. */
const headerLength = 4 * Math.ceil(headerBytes / 3);

const notPng = "must be a PNG that isn't interlaced.";
const makeMaskError = (reason: string) =>
  new AppError('invalid_parameter', {
    detail: `"mask" ${reason}`,
    param: 'mask',
    allowed: maskFacts.allowed,
  });

/**
 * Returns the mask of a recipe from a file, as base64. Throws `invalid_parameter` if the file is too large, or isn't a
 * PNG that can be decoded row by row.
 */
export function parseMask(file: Uint8Array): string {
  if (file.length > limits.maskBytes) throw makeMaskTooLargeError();
  if (!readHeader(file)) throw makeMaskError(notPng);
  return toBase64(file);
}

/** Like `parseMask`, for base64 with an optional `data:image/png;base64,` prefix. */
export function parseBase64Mask(text: string): string {
  const base64 = text.trim().replace(/^data:image\/png;base64,/i, '');
  if (base64.length > 4 * Math.ceil(limits.maskBytes / 3)) throw makeMaskTooLargeError();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw makeMaskError('must be a PNG in base64.');
  return parseMask(fromBase64(base64));
}

const makeMaskTooLargeError = () =>
  makeMaskError(`is too large. The maximum is ${formatBytes(limits.maskBytes)}. Use a smaller PNG.`);

/**
 * Returns the mask in the field `mask`, in base64, and the remaining fields. Throws `invalid_parameter` if it was sent
 * twice, and the errors of `parseBase64Mask`.
 */
export function extractMask(fields: Fields): { mask: string | undefined; rest: Fields } {
  const [first, second] = fields.filter(([name]) => name === maskField);
  if (second)
    throw new AppError('invalid_parameter', { detail: `"${maskField}" was sent more than once.`, param: maskField });
  return { mask: first && parseBase64Mask(first[1]), rest: fields.filter((field) => field !== first) };
}

/** Returns the size of a mask that `parseMask` returned. */
export function readMaskSize(mask: string): Size {
  const size = readHeader(fromBase64(mask.slice(0, headerLength)));
  if (!size) throw makeMaskError(notPng);
  return size;
}

/** Whether a mask has the size of the image, or a smaller one with the same aspect ratio, rounded to whole pixels. */
export function fitsMask(mask: Size, image: Size): boolean {
  if (mask.width > image.width || mask.height > image.height) return false;
  // Both sides are rounded by up to half a pixel, so the factors of the sides may differ by this much.
  return Math.abs(mask.width * image.height - mask.height * image.width) <= (image.width + image.height) / 2;
}

/**
 * Reads the size from the header of a PNG (PNG specification, section 11.2.1). Returns undefined for other files, and
 * for interlaced PNGs, because decoding them takes memory for all their pixels.
 */
function readHeader(bytes: Uint8Array): Size | undefined {
  if (bytes.length < headerBytes || signature.some((byte, i) => bytes[i] !== byte)) return undefined;
  if (String.fromCharCode(...bytes.subarray(12, 16)) !== headerName || bytes[28] !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
