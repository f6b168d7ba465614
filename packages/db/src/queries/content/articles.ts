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

/** `group`: the same for articles that lists show together. */
export type PlacedArticle = { id: string; group: string };

/** The articles of a kind in their order, locked until the transaction ends. */
export const lockPlaces = (tx: Tx, kind: ArticleKind): Promise<PlacedArticle[]> =>
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

/** Numbers articles in an order. Their versions stay, as their texts do. */
export async function replacePlaces(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update articles set place = wanted.place
    from unnest(${[...ids]}::uuid[]) with ordinality wanted (id, place)
    where articles.id = wanted.id and articles.place <> wanted.place`.execute(tx);
}

/** Articles that one statement publishes at most. */
const batch = 100;

/**
 * Publishes scheduled articles whose time has come, with that time as the time of their publication. Their versions rise, so
 * that pages from before don't take them for scheduled. Several processes may call it at once: each article is published by one
 * of them. Returns their IDs.
 */
export async function publishDue(db: DbOrTx): Promise<string[]> {
  // Materialized: PostgreSQL may otherwise run the subquery again and lock more rows than its limit.
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select id from articles
      where status = 'scheduled' and publish_at <= now() and deleted_at is null
      order by publish_at limit ${batch} for update skip locked
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
 * Articles whose HTML is of another version of the renderer, also scheduled, unpublished, and deleted ones. Legal texts are left
 * out: what users accepted never changes.
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

type Rendered = { id: string; html: string; rendererVersion: number };

/** Replaces the HTML of an article. Its version and its times stay. */
export async function replaceHtml(tx: Tx, { id, ...rendered }: Rendered): Promise<void> {
  await tx.updateTable('articles').set(rendered).where('id', '=', id).execute();
}
