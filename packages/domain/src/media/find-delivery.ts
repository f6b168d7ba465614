import { AppError } from '@uprez/contracts/errors/app-error';
import { listMediaWidths, type MediaType, mediaTypes, originalPath } from '@uprez/contracts/policy/images/media';
import { type DeliveredFile, findCurrentMedia, listVersionFiles } from '@uprez/db/queries/media/media-files';
import { getByUuid, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';

/** `isStandIn`: whether the file stands in for the one that the URL names, because that one isn't ready yet. */
export type Delivery = { file: DeliveredFile; isStandIn: boolean };

/** Returns the path of a file's current original. Throws `media_not_found`. */
export async function getCurrentMediaPath({ db }: Needs<'db'>, id: string): Promise<string> {
  const found = await getByUuid(id, () => findCurrentMedia(db, id), 'media_not_found');
  return originalPath(found);
}

/**
 * Returns the file for the URL of a version. While a WebP variant is missing, returns the largest existing variant, or
 * the original. Throws `media_not_found`.
 */
export async function findMediaDelivery(
  { db }: Needs<'db'>,
  { id, version, name }: { id: string; version: string; name: string },
): Promise<Delivery> {
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
  const files = isUuid(id) && number > 0 ? await listVersionFiles(db, { mediaId: id, version: number }) : [];
  const file = files.find((one) => nameOf(one) === name);
  if (file) return { file, isStandIn: false };
  const largest = files.at(-1);
  if (!largest || !isExpected(largest, number, name)) throw new AppError('media_not_found');
  return { file: largest, isStandIn: true };
}

const nameOf = ({ width, format }: DeliveredFile) => `${width ?? 'original'}.${format}`;

/**
 * Whether a version will have a file with this name once its image is processed. For an image that was replaced before
 * it was processed, whether the version could have had such a file.
 */
function isExpected(largest: DeliveredFile, version: number, name: string): boolean {
  const { presentVersion, presentWidth, state } = largest;
  if (presentWidth === null) return false;
  // The width of a replaced image is unknown, so any variant name is accepted if the version has no variants.
  if (presentVersion !== version) return largest.width === null && /^[1-9]\d{0,4}\.webp$/.test(name);
  return state !== 'ready' && listMediaWidths(presentWidth).some((width) => name === `${width}.webp`);
}

/** Returns the media type of a file by its extension. */
export const mediaTypeOf = ({ format }: DeliveredFile): MediaType | undefined =>
  (Object.keys(mediaTypes) as MediaType[]).find((type) => mediaTypes[type].extension === format);
