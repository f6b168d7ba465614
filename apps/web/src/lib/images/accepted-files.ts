import { inputExtensions, inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';

/** Media types and extensions of accepted files, for `useDropArea`. The server detects the format from the content. */
export const acceptedFiles: Record<string, string[]> = Object.fromEntries(
  inputFormats.map((format) => [mimeTypes[format], [...inputExtensions[format]]]),
);
