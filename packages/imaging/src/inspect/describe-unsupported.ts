import { AppError } from '@uprez/contracts/errors/app-error';

/** Advice by file type. Other types can be saved in a supported format. */
const advice: Record<string, string> = {
  HEIC: "Convert it to JPEG first, or set your phone's camera to Most Compatible.",
  'camera raw': 'Export it as JPEG or TIFF from your photo software first.',
  SVG: 'Export it as PNG in the size you need.',
  PDF: 'Export the page as PNG or JPEG first.',
  PostScript: 'Export the page as PNG or JPEG first.',
  video: 'Save one of its frames as JPEG or PNG first.',
  'AVIF animation': 'Convert it to an animated WebP or GIF first.',
  ZIP: 'Extract it and upload the images.',
};
/** Names that take the article "an". */
const vowelSound = /^([aeio]|svg)/i;
const nouns: Record<string, string> = { HEIC: 'HEIC photo', 'AVIF animation': 'AVIF animation' };

/** Error message for a known file type that is not supported. `name` as in `sniff-format.ts`. */
export function describeUnsupported(name: string): string {
  const article = vowelSound.test(name) ? 'an' : 'a';
  const noun = nouns[name] ?? `${name} file`;
  return `This is ${article} ${noun}. ${advice[name] ?? 'Save it as JPEG, PNG, or WebP first.'}`;
}

/** Error message for a supported format with unsupported samples. */
export const unsupportedColors =
  "This image's color format isn't supported. Save it as PNG, JPEG, or TIFF with 8 or 16 bits per channel first.";

/** Messages of decoders about features they do not support. */
const unsupportedMessage = /unsupported(?! image format)|not supported|not implemented|not configured|channel limit/i;

/** Convert a decoder's error to an AppError. The decoder's message becomes the cause, for the log only. */
export function toReadError(cause: unknown, file: Buffer): AppError {
  // Image sequences have the brand `avis`. libvips does not support them.
  if (file.toString('latin1', 4, 12) === 'ftypavis')
    return new AppError('unsupported_format', { detail: describeUnsupported('AVIF animation'), cause });
  return cause instanceof Error && unsupportedMessage.test(cause.message)
    ? new AppError('unsupported_format', { detail: unsupportedColors, cause })
    : new AppError('corrupt_image', { cause });
}
