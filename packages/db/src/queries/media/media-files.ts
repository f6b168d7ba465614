import {
  type MediaField,
  type MediaFilter,
  type MediaKind,
  type MediaSort,
  mediaTypeNames,
  mediaTypes,
} from '@uprez/contracts/policy/images/media';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { MediaFilesTable, MediaTable } from '../../tables/content-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { selectPerson } from '../content/person.ts';

type NewFile = Omit<Insertable<MediaFilesTable>, 'supersededAt'>;

export async function insertMediaFiles(tx: Tx, rows: readonly NewFile[]): Promise<void> {
  await tx.insertInto('mediaFiles').values(rows).execute();
}

/** Marks a file's current objects as replaced. `purgeSupersededFiles` removes them later. */
export async function supersedeFiles(tx: Tx, mediaId: string): Promise<void> {
  const files = tx.updateTable('mediaFiles').set({ supersededAt: now });
  await files.where('mediaId', '=', mediaId).where('supersededAt', 'is', null).execute();
}

export type DeliveredFile = Awaited<ReturnType<typeof listVersionFiles>>[number];

/**
 * Lists the stored objects of a file version: the original first, then by width. Returns an empty list if the file is
 * deleted.
 */
export const listVersionFiles = (db: DbOrTx, { mediaId, version }: { mediaId: string; version: number }) =>
  db
    .selectFrom('mediaFiles')
    .innerJoin('media', 'media.id', 'mediaFiles.mediaId')
    .innerJoin('objects', 'objects.id', 'mediaFiles.objectId')
    .select(['mediaFiles.width', 'mediaFiles.format', 'objects.key', 'objects.sha256', 'objects.size'])
    .select(['media.name', 'media.version as presentVersion', 'media.width as presentWidth', 'media.state'])
    .where('mediaFiles.mediaId', '=', mediaId)
    .where('mediaFiles.version', '=', version)
    .where('media.deletedAt', 'is', null)
    .where('objects.state', '=', 'stored')
    .orderBy(sql`media_files.width nulls first`)
    .execute();

/** Returns the current version and the type of a file. Returns undefined if the file is deleted. */
export const findCurrentMedia = (db: DbOrTx, id: string) =>
  db
    .selectFrom('media')
    .select(['id', 'version', 'type'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();

/** Removes a file that has lost its object. Pages show another width of the same version, if one exists. */
export async function deleteMediaFile(tx: Tx, objectId: string): Promise<void> {
  await tx.deleteFrom('mediaFiles').where('objectId', '=', objectId).execute();
}

export const findOriginal = (db: DbOrTx, { mediaId, version }: { mediaId: string; version: number }) =>
  db
    .selectFrom('mediaFiles')
    .innerJoin('objects', 'objects.id', 'mediaFiles.objectId')
    .select(['objects.key', 'objects.sha256'])
    .where('mediaId', '=', mediaId)
    .where('version', '=', version)
    .where('width', 'is', null)
    .executeTakeFirst();

/**
 * Whether a page refers to a version: a legal text, or an article that couldn't be rendered again. Such versions are
 * kept.
 */
const isFileShown = sql<boolean>`(
  exists (
    select from legal_media legal
    where legal.media_id = media_files.media_id and legal.version = media_files.version
  ) or exists (
    select from media_uses join articles on articles.id = media_uses.article_id
    where media_uses.media_id = media_files.media_id and articles.status <> 'draft'
      and position(concat('/media/', media_files.media_id, '/', media_files.version, '/') in articles.html) > 0
  ))`;

/**
 * Removes the files of versions that were replaced at least `seconds` ago and that no page shows, and marks their
 * objects for deletion. Returns the number of objects.
 */
export async function purgeSupersededFiles(tx: Tx, seconds: number): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from media_files where superseded_at < ${afterSeconds(-seconds)} and not ${isFileShown} returning object_id
    )
    update objects set state = 'deleting' from gone where objects.id = gone.object_id returning objects.id`.execute(tx);
  return rows.length;
}

/**
 * Removes up to 500 media files that were deleted at least `seconds` ago and that no legal text refers to, and marks
 * their objects for deletion. Returns the number of removed files.
 */
export async function purgeMedia(tx: Tx, seconds: number): Promise<number> {
  const due = await tx
    .selectFrom('media')
    .select('id')
    .where('deletedAt', '<', afterSeconds(-seconds))
    .where(sql<boolean>`not exists (select from legal_media where media_id = media.id)`)
    .forUpdate()
    .skipLocked()
    .limit(500)
    .execute();
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const gone = await tx.deleteFrom('mediaFiles').where('mediaId', 'in', ids).returning('objectId').execute();
  const objects = gone.map(({ objectId }) => objectId);
  if (objects.length > 0)
    await tx.updateTable('objects').set({ state: 'deleting' }).where('id', 'in', objects).execute();
  await tx.deleteFrom('media').where('id', 'in', ids).execute();
  return ids.length;
}

export type MediaRow = Selectable<MediaTable>;

/**
 * Returns a file, even if it is deleted. Locks the file until the transaction ends, which keeps it from being changed,
 * deleted, or newly used.
 */
export const lockMedia = (tx: Tx, id: string): Promise<MediaRow | undefined> =>
  tx.selectFrom('media').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export async function insertMedia(tx: Tx, row: Insertable<MediaTable>): Promise<void> {
  await tx.insertInto('media').values(row).execute();
}

export async function updateMedia(tx: Tx, id: string, changes: Updateable<MediaTable>): Promise<void> {
  await tx.updateTable('media').set(changes).where('id', '=', id).execute();
}

export async function setMediaDeleted(tx: Tx, id: string, isDeleted: boolean): Promise<void> {
  await tx
    .updateTable('media')
    .set({ deletedAt: isDeleted ? now : null })
    .where('id', '=', id)
    .execute();
}

export type MediaListFilter = {
  search?: string | undefined;
  type?: MediaKind | undefined;
  status?: MediaFilter | undefined;
};

const mediaPlaces = sql<{ mediaId: string; articleId: string; field: MediaField }>`(
  select media_id, article_id, field from media_uses
  union all select media_id, article_id, 'legalVersion' from legal_media)`;
const useCount = sql<number>`(
  select count(distinct article_id) from ${mediaPlaces} as place where place.media_id = media.id)`;

const selectMedia = (db: DbOrTx) =>
  db.selectFrom('media').leftJoin('users as uploader', 'uploader.id', 'media.uploaderId');

const rowsOf = (query: ReturnType<typeof selectMedia>) =>
  query.selectAll('media').select([selectPerson('uploader').as('uploadedBy'), useCount.as('uses')]);

function matching(db: DbOrTx, { search, type, status }: MediaListFilter) {
  let query = selectMedia(db).where('media.deletedAt', status === 'deleted' ? 'is not' : 'is', null);
  if (status === 'failed') query = query.where('media.state', '=', 'failed');
  if (status === 'used') query = query.where(sql<boolean>`${useCount} > 0`);
  if (status === 'unused') query = query.where(sql<boolean>`${useCount} = 0`);
  if (type)
    query = query.where(
      'media.type',
      'in',
      mediaTypeNames.filter((name) => mediaTypes[name].kind === type),
    );
  return search ? query.where(sql<boolean>`lower(media.name) like lower(${containsPattern(search)})`) : query;
}

/** Sorts by the start of the name only, because cursors have a maximum length. */
const name = { column: sql`left(lower(media.name), 30)`, type: 'text' } as const;
const orders = makeOrders<'uploaded' | 'name' | 'size', number | string>({
  uploaded: { column: 'media.createdAt', type: 'time' },
  name,
  size: { column: 'media.size', type: 'integer' },
});

type ListedMedia = Awaited<ReturnType<typeof listMedia>>[number];

export const listMedia = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: MediaListFilter & Page & { sort: MediaSort },
) => readKeysetPage(rowsOf(matching(db, filter)), { order: orders[sort], id: 'media.id', after, limit });

export const countMedia = (db: DbOrTx, filter: MediaListFilter): Promise<number> => countRows(matching(db, filter));

export type FoundMedia = NonNullable<Awaited<ReturnType<typeof findMedia>>>;

/** Returns a file of the library, even if it is deleted. */
export const findMedia = (db: DbOrTx, id: string) =>
  rowsOf(selectMedia(db)).where('media.id', '=', id).executeTakeFirst();

/** Lists the articles that use a file, including deleted articles, most recently changed first. */
export const listMediaUses = (db: DbOrTx, mediaId: string) =>
  db
    .selectFrom(mediaPlaces.as('place'))
    .innerJoin('articles', 'articles.id', 'place.articleId')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .select(['articles.id as articleId', 'articles.kind', 'draft.title', 'articles.status', 'articles.deletedAt'])
    .select(sql<MediaField[]>`array_agg(distinct place.field)`.as('fields'))
    .where('place.mediaId', '=', mediaId)
    .groupBy(['articles.id', 'draft.articleId'])
    .orderBy('articles.updatedAt', 'desc')
    .execute();
