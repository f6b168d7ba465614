import { type InputFormat, inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';

/** Some systems only know a file's extension, not its media type. */
const extensions: Partial<Record<InputFormat, string[]>> = { jpeg: ['.jpeg', '.jpg'], tiff: ['.tiff', '.tif'] };

/** Accepted files. The server detects the actual format from the content. */
export const dropLimits = {
  accept: Object.fromEntries(inputFormats.map((format) => [mimeTypes[format], extensions[format] ?? [`.${format}`]])),
  maxSize: limits.uploadBytes,
};
