import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { ArticleDraftsTable, ArticlesTable } from '../../tables/content-tables.ts';
import { now } from '../../times.ts';

export type ArticleRow = Selectable<ArticlesTable>;
export type DraftRow = Selectable<ArticleDraftsTable>;
type Changes<Table extends keyof Tables> = UpdateObject<Tables, Table, Table>;
export type ArticleWithDraft = { article: ArticleRow; draft: DraftRow };

/** Creates an article with an empty draft, as the last one of its kind. */
export async function insertArticle(
  tx: Tx,
  row: { id: string; kind: ArticleKind; authorId: string | null },
): Promise<ArticleWithDraft> {
  const place = sql<number>`(select coalesce(max(place), 0) + 1 from articles where kind = ${row.kind})`;
  const created = tx.insertInto('articles').values({ ...row, place });
  const article = await created.returningAll().executeTakeFirstOrThrow();
  const insert = tx.insertInto('articleDrafts').values({ articleId: row.id });
  return { article, draft: await insert.returningAll().executeTakeFirstOrThrow() };
}

/** An article with its draft, also if it is deleted. */
export async function readArticle(db: DbOrTx, id: string): Promise<ArticleWithDraft | undefined> {
  const article = await db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirst();
  return article && withDraft(db, article);
}

/** The same, with the article locked until the transaction ends. Changes of its draft lock the article, too. */
export async function lockArticle(tx: Tx, id: string): Promise<ArticleWithDraft | undefined> {
  const article = await tx.selectFrom('articles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return article && withDraft(tx, article);
}

async function withDraft(db: DbOrTx, article: ArticleRow): Promise<ArticleWithDraft> {
  const query = db.selectFrom('articleDrafts').selectAll().where('articleId', '=', article.id);
  return { article, draft: await query.executeTakeFirstOrThrow() };
}

/** Changes an article, or only its version if nothing but the draft changes. Returns the new version. */
export async function updateArticle(
  tx: Tx,
  id: string,
  changes: Omit<Changes<'articles'>, 'id' | 'version' | 'updatedAt'> = {},
): Promise<number> {
  const { version } = await tx
    .updateTable('articles')
    .set({ ...changes, version: sql<number>`version + 1`, updatedAt: now })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

export const updateDraft = (
  tx: Tx,
  id: string,
  changes: Omit<Changes<'articleDrafts'>, 'articleId'>,
): Promise<DraftRow> =>
  tx.updateTable('articleDrafts').set(changes).where('articleId', '=', id).returningAll().executeTakeFirstOrThrow();

/** Keeps a rendered draft for preview links, unless the article has changed since. */
export async function storePreview(
  db: DbOrTx,
  { id, version, html, minutes }: { id: string; version: number; html: string; minutes: number },
): Promise<void> {
  await db
    .updateTable('articleDrafts')
    .from('articles')
    .set({ previewVersion: version, previewHtml: html, previewMinutes: minutes })
    .whereRef('articles.id', '=', 'articleDrafts.articleId')
    .where('articles.id', '=', id)
    .where('articles.version', '=', version)
    .execute();
}

/** Deletes articles that were deleted so many seconds ago, with all that belongs to them. Returns how many. */
export async function purgeArticles(db: DbOrTx, deletedS: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('articles')
    .where('deletedAt', '<', sql<Date>`now() - make_interval(secs => ${deletedS})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
