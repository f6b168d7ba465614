import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';
import { selectFeaturedImage } from './public-posts.ts';

type NewLink = { tokenHash: Buffer; articleId: string; lifeS: number };

/** Inserts a preview link. Returns when it expires. */
export async function insertPreviewLink(db: DbOrTx, { lifeS, ...row }: NewLink): Promise<Date> {
  const insert = db.insertInto('previewLinks').values({ ...row, expiresAt: afterSeconds(lifeS) });
  return (await insert.returning('expiresAt').executeTakeFirstOrThrow()).expiresAt;
}

/**
 * Finds the draft behind a preview link, with its last rendered HTML. Returns undefined for expired links and deleted
 * articles.
 */
export const findPreview = (db: DbOrTx, tokenHash: Buffer) =>
  db
    .selectFrom('previewLinks')
    .innerJoin('articles', 'articles.id', 'previewLinks.articleId')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .select(['articles.id', 'articles.version', 'previewLinks.expiresAt'])
    .select(['draft.title', 'draft.excerpt', 'draft.contentMd'])
    .select(selectFeaturedImage('draft').as('image'))
    .select(['draft.previewVersion', 'draft.previewHtml', 'draft.previewMinutes'])
    .where('previewLinks.tokenHash', '=', tokenHash)
    .where('previewLinks.expiresAt', '>', now)
    .where('articles.deletedAt', 'is', null)
    .executeTakeFirst();

export async function deleteExpiredPreviewLinks(db: DbOrTx): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('previewLinks')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
