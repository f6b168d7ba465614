import {
  listMediaWidths,
  type MediaType,
  mediaSorts,
  mediaTypes,
  originalPath,
  variantPath,
} from '@uprez/contracts/policy/images/media';
import type { MediaFile, MediaUse } from '@uprez/contracts/schemas/content/media';
import type { DbOrTx } from '@uprez/db/database';
import {
  countMedia,
  type FoundMedia,
  findMedia,
  listMediaUses,
  listMedia as listRows,
} from '@uprez/db/queries/media/media-files';
import { getByUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { defineTable } from '../read-table.ts';

const media = defineTable({
  name: 'media',
  sorts: mediaSorts,
  isText: (sort) => sort.endsWith('name'),
  list: listRows,
  count: countMedia,
  present: (rows) => rows.map(presentMedia),
});

/** Returns a page of the media library. Throws `invalid_parameter`. */
export const listMedia = media.page;

/** Yields the files that match a filter, in pages. Throws `export_too_large`. */
export const exportMedia = media.export;

/** Returns a library file, including a deleted one that can still be restored. Throws `media_not_found`. */
export async function getMedia({ db }: { db: DbOrTx }, id: string): Promise<MediaFile> {
  const found = await getByUuid(id, () => findMedia(db, id), 'media_not_found');
  return presentMedia(found);
}

/** Returns the articles that use a file. Throws `media_not_found`. */
export async function getUses(ctx: Needs<'db'>, id: string): Promise<MediaUse[]> {
  await getMedia(ctx, id);
  return listUses(ctx.db, id);
}

/** Returns the articles that use a file, including deleted ones that can be restored. */
export const listUses = async (db: DbOrTx, id: string): Promise<MediaUse[]> =>
  (await listMediaUses(db, id)).map(({ deletedAt, ...use }) => ({ ...use, deleted: deletedAt !== null }));

export const mediaKindOf = (type: MediaType) => mediaTypes[type].kind;

function presentMedia(row: FoundMedia): MediaFile {
  const { id, version, type, width, height, alt, state, uses, uploadedBy } = row;
  const [smallest] = width === null ? [] : listMediaWidths(width);
  return {
    id,
    originalName: row.name,
    mimeType: type,
    kind: mediaKindOf(type),
    fileSize: row.size,
    ...{ width, height, alt, version, state, uses, uploadedBy },
    url: originalPath({ id, version, type }),
    thumbnailUrl: smallest === undefined ? null : variantPath({ id, version }, smallest),
    uploadedAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}
