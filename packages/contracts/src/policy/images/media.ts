/** Media types allowed in the media library, detected from the content. */
export const mediaTypes = {
  'image/jpeg': { kind: 'image', extension: 'jpg' },
  'image/png': { kind: 'image', extension: 'png' },
  'image/gif': { kind: 'image', extension: 'gif' },
  'image/webp': { kind: 'image', extension: 'webp' },
  'application/pdf': { kind: 'document', extension: 'pdf' },
  'text/plain': { kind: 'document', extension: 'txt' },
  'text/markdown': { kind: 'document', extension: 'md' },
} as const;
export type MediaType = keyof typeof mediaTypes;
export const mediaTypeNames = Object.keys(mediaTypes) as [MediaType, ...MediaType[]];

export const mediaKinds = ['image', 'document'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** `processing`: smaller versions of the image are being made. `failed`: some couldn't be made. Documents are `ready`. */
export const mediaStates = ['processing', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];
/** Filters of the media list. `deleted`: files that can be restored, which all other lists leave out. */
export const mediaFilters = ['used', 'unused', 'failed', 'deleted'] as const;
export type MediaFilter = (typeof mediaFilters)[number];

/** Sort orders of the library. A minus means descending. The first one is the default. */
export const mediaSorts = ['-uploaded', 'uploaded', 'name', '-name', '-size', 'size'] as const;
export type MediaSort = (typeof mediaSorts)[number];

/** Article fields that can reference files of the library. */
export const articleMediaFields = ['content', 'featuredImage'] as const;
export type ArticleMediaField = (typeof articleMediaFields)[number];
/** Places where articles use files. `legalVersion`: a published version of a legal text, which never changes. */
export const mediaFields = [...articleMediaFields, 'legalVersion'] as const;
export type MediaField = (typeof mediaFields)[number];

export const mediaLimits = {
  /** Largest file, bytes. */
  fileBytes: 10 * 1024 * 1024,
  /** Files of one upload. */
  files: 20,
  nameLength: 200,
  altLength: 500,
  /** Days for which a deleted file can be restored. */
  deletedDays: 30,
} as const;

/** Widths of the WebP versions of an image, pixels. */
export const mediaWidths = [320, 640, 1280, 1920] as const;

/** Returns the widths in which an image with the given width is available. None exceeds the original. */
export function widthsOf(width: number): number[] {
  const largest = Math.min(width, Math.max(...mediaWidths));
  return [...mediaWidths.filter((one) => one < largest), largest];
}
