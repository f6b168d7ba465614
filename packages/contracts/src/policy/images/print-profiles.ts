import type { OutputFormat } from './image-formats.ts';

/** Name of the CMYK profile that is part of libvips: "Chemical proof" by Graeme W. Gill, in the public domain. */
export const genericProfile = 'generic';

/** Names of profiles. They name files, so they contain no separators, and don't begin with a period. */
export const profileNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Formats in which CMYK is common. Other formats of results have no CMYK. */
export const printFormats = ['jpeg', 'tiff'] as const satisfies readonly OutputFormat[];
