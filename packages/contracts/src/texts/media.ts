import { type MediaType, mediaTypes, widthsOf } from '../policy/images/media.ts';

const root = '/media';
const idPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const reference = new RegExp(`^${root}/(${idPattern})$`, 'i');
const versioned = new RegExp(`^${root}/${idPattern}/`, 'i');
const shown = new RegExp(`${root}/(${idPattern})(?:/(\\d{1,9})/)?`, 'gi');
const mentions = new RegExp(`${root}/(${idPattern})`, 'gi');

/** How articles refer to a file of the media library. The gateway redirects to the file. */
export const mediaPath = (id: string): string => `${root}/${id}`;

/** The ID of the file that a URL in an article refers to; undefined for all other URLs. */
export const mediaIdOf = (url: string): string | undefined => reference.exec(url)?.[1]?.toLowerCase();

/** Whether a URL leads to a version of a file, which is deleted after the file was replaced. */
export const hasMediaVersion = (url: string): boolean => versioned.test(url);

/** The IDs that a text has behind `/media/`, each once: those of all files that it refers to, and maybe more. */
export const listMentionedMedia = (text: string): string[] => [
  ...new Set([...text.matchAll(mentions)].map(([, id = '']) => id.toLowerCase())),
];

/** The files that HTML of an article refers to, each once. Only images have a version. */
export function listShownMedia(html: string): { mediaId: string; version: number | null }[] {
  const versions = new Map<string, number | null>();
  for (const [, id = '', version] of html.matchAll(shown)) {
    const mediaId = id.toLowerCase();
    versions.set(mediaId, version === undefined ? (versions.get(mediaId) ?? null) : Number(version));
  }
  return [...versions].map(([mediaId, version]) => ({ mediaId, version }));
}

type Version = { id: string; version: number };

/** A WebP version of an image. What a URL with a version shows never changes. */
export const variantPath = ({ id, version }: Version, width: number): string =>
  `${mediaPath(id)}/${version}/${width}.webp`;

/** The file as it was uploaded. */
export const originalPath = ({ id, version, type }: Version & { type: MediaType }): string =>
  `${mediaPath(id)}/${version}/original.${mediaTypes[type].extension}`;

/** What shows an image in the size that a screen needs. `src` is the largest version. */
export function imageSourcesOf(image: Version & { width: number; height: number }) {
  const widths = widthsOf(image.width);
  const largest = widths.at(-1) ?? image.width;
  return {
    src: variantPath(image, largest),
    srcset: widths.map((width) => `${variantPath(image, width)} ${width}w`).join(', '),
    width: largest,
    height: Math.max(1, Math.round((image.height * largest) / image.width)),
  };
}
