import {
  type MediaField,
  type MediaFilter,
  type MediaKind,
  type MediaSort,
  mediaTypeNames,
  mediaTypes,
} from '@uprez/contracts/policy/images/media';
import { sql } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import { personOf } from '../content/person.ts';

export type MediaListFilter = {
  search?: string | undefined;
  type?: MediaKind | undefined;
  status?: MediaFilter | undefined;
};

/** All uses of files, by articles and by versions of legal texts. */
const places = sql<{ mediaId: string; articleId: string; field: MediaField }>`(
  select media_id, article_id, field from media_uses
  union all select media_id, article_id, 'legalVersion' from legal_media)`;
/** Number of articles that use a file. */
const countUses = sql<number>`(
  select count(distinct article_id) from ${places} as place where place.media_id = media.id)`;

const selectMedia = (db: DbOrTx) =>
  db.selectFrom('media').leftJoin('users as uploader', 'uploader.id', 'media.uploaderId');

const rowsOf = (query: ReturnType<typeof selectMedia>) =>
  query.selectAll('media').select([personOf('uploader').as('uploadedBy'), countUses.as('uses')]);

function matching(db: DbOrTx, { search, type, status }: MediaListFilter) {
  let query = selectMedia(db).where('media.deletedAt', status === 'deleted' ? 'is not' : 'is', null);
  if (status === 'failed') query = query.where('media.state', '=', 'failed');
  if (status === 'used') query = query.where(sql<boolean>`${countUses} > 0`);
  if (status === 'unused') query = query.where(sql<boolean>`${countUses} = 0`);
  if (type)
    query = query.where(
      'media.type',
      'in',
      mediaTypeNames.filter((name) => mediaTypes[name].kind === type),
    );
  return search ? query.where(sql<boolean>`lower(media.name) like lower(${containsPattern(search)})`) : query;
}

const uploaded = { column: 'media.createdAt', type: 'time' } as const;
/** Start of the name, because cursors have a maximum length. */
const name = { column: sql`left(lower(media.name), 30)`, type: 'text' } as const;
const size = { column: 'media.size', type: 'integer' } as const;
const orders: Record<MediaSort, KeysetOrder<number | string>> = {
  '-uploaded': { ...uploaded, direction: 'desc' },
  uploaded: { ...uploaded, direction: 'asc' },
  '-name': { ...name, direction: 'desc' },
  name: { ...name, direction: 'asc' },
  '-size': { ...size, direction: 'desc' },
  size: { ...size, direction: 'asc' },
};

export type ListedMedia = Awaited<ReturnType<typeof listMedia>>[number];

/** Returns a page of the media library. */
export const listMedia = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: MediaListFilter & Page & { sort: MediaSort },
) => readKeysetPage(rowsOf(matching(db, filter)), { order: orders[sort], id: 'media.id', after, limit });

export const countMedia = (db: DbOrTx, filter: MediaListFilter): Promise<number> => countRows(matching(db, filter));

export type FoundMedia = NonNullable<Awaited<ReturnType<typeof findMedia>>>;

/** Returns a file of the library, even if it is deleted. */
export const findMedia = (db: DbOrTx, id: string) =>
  rowsOf(selectMedia(db)).where('media.id', '=', id).executeTakeFirst();

/** Lists the articles that use a file, including deleted ones, most recently changed first. */
export const listMediaUses = (db: DbOrTx, mediaId: string) =>
  db
    .selectFrom(places.as('place'))
    .innerJoin('articles', 'articles.id', 'place.articleId')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .select(['articles.id as articleId', 'articles.kind', 'draft.title', 'articles.status', 'articles.deletedAt'])
    .select(sql<MediaField[]>`array_agg(distinct place.field)`.as('fields'))
    .where('place.mediaId', '=', mediaId)
    .groupBy(['articles.id', 'draft.articleId'])
    .orderBy('articles.updatedAt', 'desc')
    .execute();
