import { type InputFormat, inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';

/** Spellings of file extensions; a system that knows no media type of a file goes by them. */
const extensions: Partial<Record<InputFormat, string[]>> = { jpeg: ['.jpeg', '.jpg'], tiff: ['.tiff', '.tif'] };

/** What the drop area takes. What a file really is, the server reads from its content. */
export const dropLimits = {
  accept: Object.fromEntries(inputFormats.map((format) => [mimeTypes[format], extensions[format] ?? [`.${format}`]])),
  maxSize: limits.uploadBytes,
};
