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

/**
 * `processing`: smaller versions of the image are being created. `failed`: some of them couldn't be created. Documents
 * are always `ready`.
 */
export const mediaStates = ['processing', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];
/** Filters of the media list. `deleted`: files that can be restored, which all other lists leave out. */
export const mediaFilters = ['used', 'unused', 'failed', 'deleted'] as const;
export type MediaFilter = (typeof mediaFilters)[number];

export const mediaSorts = ['-uploaded', 'uploaded', 'name', '-name', '-size', 'size'] as const;
export type MediaSort = (typeof mediaSorts)[number];

export const articleMediaFields = ['content', 'featuredImage'] as const;
export type ArticleMediaField = (typeof articleMediaFields)[number];
/** Places where articles use files. `legalVersion`: a published version of a legal text, which never changes. */
export const mediaFields = [...articleMediaFields, 'legalVersion'] as const;
export type MediaField = (typeof mediaFields)[number];

export const mediaLimits = {
  fileBytes: 10 * 1024 * 1024,
  files: 20,
  nameLength: 200,
  altLength: 500,
  /** Days for which a deleted file can be restored. */
  deletedDays: 30,
} as const;

/** Widths of the WebP versions of an image, in pixels. */
const mediaWidths = [320, 640, 1280, 1920] as const;

/** Returns the widths in which an image with the given width is available. No width exceeds that of the original. */
export function listMediaWidths(width: number): number[] {
  const largest = Math.min(width, Math.max(...mediaWidths));
  return [...mediaWidths.filter((one) => one < largest), largest];
}

const root = '/media';
const idPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const referencePattern = new RegExp(`^${root}/(${idPattern})$`, 'i');
const versionedPathPattern = new RegExp(`^${root}/${idPattern}/`, 'i');
const shownMediaPattern = new RegExp(`${root}/(${idPattern})(?:/(\\d{1,9})/)?`, 'gi');
const mentionPattern = new RegExp(`${root}/(${idPattern})`, 'gi');

/**
 * Returns the path that articles use to refer to a file in the media library. The gateway redirects requests for this
 * path to the file.
 */
export const mediaPath = (id: string): string => `${root}/${id}`;

/** Returns the ID of the file that an article's URL refers to. Returns undefined for other URLs. */
export const findMediaId = (url: string): string | undefined => referencePattern.exec(url)?.[1]?.toLowerCase();

/**
 * Whether a URL points to a specific version of a file. Articles shouldn't use such URLs, because the version is
 * deleted after the file is replaced.
 */
export const hasMediaVersion = (url: string): boolean => versionedPathPattern.test(url);

/**
 * Lists the unique IDs that follow `/media/` in a string. Includes all files that the string refers to, and possibly
 * other IDs.
 */
export const listMentionedMedia = (text: string): string[] => [
  ...new Set([...text.matchAll(mentionPattern)].map(([, id = '']) => id.toLowerCase())),
];

/** Lists the unique files that an article's HTML refers to. `version` is null for files other than images. */
export function listShownMedia(html: string): { mediaId: string; version: number | null }[] {
  const versions = new Map<string, number | null>();
  for (const [, id = '', version] of html.matchAll(shownMediaPattern)) {
    const mediaId = id.toLowerCase();
    versions.set(mediaId, version === undefined ? (versions.get(mediaId) ?? null) : Number(version));
  }
  return [...versions].map(([mediaId, version]) => ({ mediaId, version }));
}

type Version = { id: string; version: number };

/**
 * Returns the path of a WebP version of an image, with a width in pixels. The content at this path never changes,
 * because the path contains the image's version.
 */
export const variantPath = ({ id, version }: Version, width: number): string =>
  `${mediaPath(id)}/${version}/${width}.webp`;

export const originalPath = ({ id, version, type }: Version & { type: MediaType }): string =>
  `${mediaPath(id)}/${version}/original.${mediaTypes[type].extension}`;

/** Returns the attributes of a responsive image. `src` is the largest version. */
export function imageSourcesOf(image: Version & { width: number; height: number }) {
  const widths = listMediaWidths(image.width);
  const largest = widths.at(-1) ?? image.width;
  return {
    src: variantPath(image, largest),
    srcset: widths.map((width) => `${variantPath(image, width)} ${width}w`).join(', '),
    width: largest,
    height: Math.max(1, Math.round((image.height * largest) / image.width)),
  };
}
