import { AppError } from '@uprez/contracts/errors/app-error';
import {
  listMediaWidths,
  type MediaSort,
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
  type ListedMedia,
  listMediaUses,
  listMedia as listRows,
  type MediaListFilter,
} from '@uprez/db/queries/media/media-files';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../read-table.ts';

const tableOf = ({ db }: Needs<'db'>, filter: MediaListFilter) => ({
  list: (page: Omit<Parameters<typeof listRows>[1], keyof MediaListFilter>): Promise<ListedMedia[]> =>
    listRows(db, { ...filter, ...page }),
  count: () => countMedia(db, filter),
});

/** Returns a page of the media library. Throws `invalid_parameter`. */
export async function listMedia(
  ctx: Needs<'db'>,
  { sort = mediaSorts[0], cursor, limit, ...filter }: MediaListFilter & TableQuery<MediaSort>,
): Promise<TablePage<MediaFile>> {
  const isText = sort.endsWith('name');
  const page = await readPage({ list: 'media', sort, isText, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentMedia) };
}

/** Yields the files that match a filter, in pages. Throws `export_too_large`. */
export async function exportMedia(
  ctx: Needs<'db'>,
  { sort = mediaSorts[0], ...filter }: MediaListFilter & { sort?: MediaSort | undefined },
): Promise<AsyncIterable<MediaFile[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentMedia);
  })();
}

/** Returns a library file, including a deleted one that can still be restored. Throws `media_not_found`. */
export async function getMedia({ db }: { db: DbOrTx }, id: string): Promise<MediaFile> {
  const found = isUuid(id) ? await findMedia(db, id) : undefined;
  if (!found) throw new AppError('media_not_found');
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
