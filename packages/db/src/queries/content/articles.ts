import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { ArticleDraftsTable, ArticlesTable } from '../../tables/content-tables.ts';
import { now } from '../../times.ts';

export type ArticleRow = Selectable<ArticlesTable>;
export type DraftRow = Selectable<ArticleDraftsTable>;
type Changes<Table extends keyof Tables> = UpdateObject<Tables, Table, Table>;
export type ArticleWithDraft = { article: ArticleRow; draft: DraftRow };

/** Creates an article with an empty draft, at the last position among the articles of its kind. */
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

/** Returns an article with its draft, even if it's deleted. */
export async function readArticle(db: DbOrTx, id: string): Promise<ArticleWithDraft | undefined> {
  const article = await db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirst();
  return article && loadDraft(db, article);
}

/** Like `readArticle`, and locks the article until the transaction ends. Changes to its draft lock the article, too. */
export async function lockArticle(tx: Tx, id: string): Promise<ArticleWithDraft | undefined> {
  const article = await tx.selectFrom('articles').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return article && loadDraft(tx, article);
}

async function loadDraft(db: DbOrTx, article: ArticleRow): Promise<ArticleWithDraft> {
  const query = db.selectFrom('articleDrafts').selectAll().where('articleId', '=', article.id);
  return { article, draft: await query.executeTakeFirstOrThrow() };
}

/**
 * Updates an article and increments its version. Without `changes`, only increments the version, for changes to the
 * draft. Returns the new version.
 */
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

/** Stores a rendered draft for preview links, unless the article has changed since. */
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

/**
 * Purges articles that were deleted more than `deletedS` seconds ago, with everything that belongs to them. Returns how
 * many were purged.
 */
export async function purgeArticles(db: DbOrTx, deletedS: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('articles')
    .where('deletedAt', '<', sql<Date>`now() - make_interval(secs => ${deletedS})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** `group`: the same string for articles that lists show together. */
export type ArticlePosition = { id: string; group: string };

/** Lists the articles of a kind in their order, and locks them until the transaction ends. */
export const lockPositions = (tx: Tx, kind: ArticleKind): Promise<ArticlePosition[]> =>
  tx
    .selectFrom('articles')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .select(['articles.id', sql<string>`concat(draft.featured, ' ', draft.category_ids[1])`.as('group')])
    .where('articles.kind', '=', kind)
    .where('articles.deletedAt', 'is', null)
    .orderBy('articles.place')
    .orderBy('articles.id')
    .forUpdate('articles')
    .execute();

/** Renumbers articles in this order. Keeps their versions, because their content doesn't change. */
export async function replacePositions(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update articles set place = wanted.place
    from unnest(${[...ids]}::uuid[]) with ordinality wanted (id, place)
    where articles.id = wanted.id and articles.place <> wanted.place`.execute(tx);
}

const publishBatchSize = 100;

/**
 * Publishes scheduled articles that are due. The scheduled time becomes the publication time. Increments their
 * versions, because pages loaded earlier would otherwise treat them as scheduled. Safe to call from several processes:
 * each article is published by one of them. Returns the articles' IDs.
 */
export async function publishScheduledArticles(db: DbOrTx): Promise<string[]> {
  // Materialized, because PostgreSQL may otherwise run the subquery again and lock more rows than its limit.
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select id from articles
      where status = 'scheduled' and publish_at <= now() and deleted_at is null
      order by publish_at limit ${publishBatchSize} for update skip locked
    ), published as (
      update articles set status = 'published', published_at = publish_at, revised_at = publish_at, publish_at = null,
        version = version + 1, updated_at = now()
      from due where articles.id = due.id
      returning articles.id, articles.kind, articles.slug
    ), kept as (
      insert into slug_redirects (kind, slug, article_id) select kind, slug, id from published
      on conflict (kind, slug) do update set article_id = excluded.article_id
    )
    select id from published`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Lists articles with HTML from another version of the renderer, including scheduled, unpublished, and deleted
 * articles. Leaves out legal texts, because a text that users have accepted must never change.
 */
export async function listStaleArticles(db: DbOrTx, rendererVersion: number): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('kind', '<>', 'legal')
    .where('html', 'is not', null)
    .where('rendererVersion', '<>', rendererVersion)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

type RenderedArticle = { id: string; html: string; rendererVersion: number };

/** Replaces the HTML of an article. Keeps its version and times. */
export async function replaceHtml(tx: Tx, { id, ...rendered }: RenderedArticle): Promise<void> {
  await tx.updateTable('articles').set(rendered).where('id', '=', id).execute();
}

/** `articleId`: the article to ignore, because it may have the slug itself. */
type Wanted = { kind: ArticleKind; slug: string; articleId?: string | undefined };

/**
 * Lists the published and draft slugs of other articles of a kind that are equal to a slug, or to the slug with a
 * number appended. Former slugs don't count.
 */
export async function listTakenSlugs(db: DbOrTx, { kind, slug, articleId = '' }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select used.slug from articles
    join article_drafts draft on draft.article_id = articles.id
    cross join lateral (values (articles.slug), (draft.slug)) used (slug)
    where articles.kind = ${kind} and articles.deleted_at is null and articles.id::text <> ${articleId}
      and (used.slug = ${slug} or used.slug ~ ('^' || ${slug} || '-[0-9]+$'))`.execute(db);
  return rows.map((row) => row.slug);
}

/** Whether another article of a kind has a slug, publicly or in its draft. */
export async function isSlugTaken(db: DbOrTx, { kind, slug, articleId = '' }: Wanted): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (
      select from articles join article_drafts draft on draft.article_id = articles.id
      where articles.kind = ${kind} and articles.deleted_at is null and articles.id::text <> ${articleId}
        and (articles.slug = ${slug} or draft.slug = ${slug})
    ) as "isTaken"`.execute(db);
  return rows[0]?.isTaken ?? false;
}

/** Redirects a public slug to an article, even after the article gets another slug. */
export async function insertSlugRedirect(
  tx: Tx,
  row: { kind: ArticleKind; slug: string; articleId: string },
): Promise<void> {
  await tx
    .insertInto('slugRedirects')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet({ articleId: row.articleId }))
    .execute();
}
