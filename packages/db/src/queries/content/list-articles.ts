import type { ArticleKind, ArticleSort, ArticleStatusFilter } from '@uprez/contracts/policy/articles';
import { type SqlBool, sql } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import { selectPerson } from './person.ts';

export type ArticleFilter = {
  kind: ArticleKind;
  search?: string | undefined;
  status?: ArticleStatusFilter | undefined;
  category?: string | undefined;
};

const selectArticles = (db: DbOrTx, { deleted = false } = {}) =>
  db
    .selectFrom('articles')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .leftJoin('users as author', 'author.id', 'articles.authorId')
    .where('articles.deletedAt', deleted ? 'is not' : 'is', null);

const draftCategories = sql<{ id: string; name: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by array_position(draft.category_ids, id)), '[]')
  from categories where id = any(draft.category_ids))`;

const shownColumns = [
  'articles.id',
  'articles.kind',
  'articles.status',
  'articles.slug as publicSlug',
  'articles.publishAt',
  'articles.publishedAt',
  'articles.updatedAt',
  'articles.deletedAt',
  'draft.title',
  'draft.slug',
  'draft.featured',
  'draft.hasChanges',
] as const;
const selectRowColumns = (query: ReturnType<typeof selectArticles>) =>
  query.select(shownColumns).select([selectPerson('author').as('author'), draftCategories.as('categories')]);

function selectMatchingArticles(db: DbOrTx, { kind, search, status, category }: ArticleFilter) {
  const deleted = status === 'deleted';
  let query = selectArticles(db, { deleted }).where('articles.kind', '=', kind);
  if (status && !deleted) query = query.where('articles.status', '=', status);
  if (category) query = query.where(sql<SqlBool>`${category}::uuid = any(draft.category_ids)`);
  if (!search) return query;
  return query.where(sql<SqlBool>`lower(draft.title || ' ' || draft.slug) like lower(${containsPattern(search)})`);
}

/** Articles that have neither been published nor scheduled sort as the oldest. */
const publishedColumn = {
  column: sql`coalesce(articles.published_at, articles.publish_at, timestamptz 'epoch')`,
  type: 'time',
} as const;
/** The start of the title, because cursors have a maximum length. */
const titleColumn = { column: sql`left(lower(draft.title), 30)`, type: 'text' } as const;
const orders = makeOrders<'updated' | 'published' | 'title' | 'place', number | string>({
  updated: { column: 'articles.updatedAt', type: 'time' },
  published: publishedColumn,
  title: titleColumn,
  place: { column: 'articles.place', type: 'integer' },
});

export type ListedArticle = Awaited<ReturnType<typeof listArticles>>[number];

export const listArticles = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: ArticleFilter & Page & { sort: ArticleSort },
) =>
  readKeysetPage(selectRowColumns(selectMatchingArticles(db, filter)), {
    order: orders[sort],
    id: 'articles.id',
    after,
    limit,
  });

export const countArticles = (db: DbOrTx, filter: ArticleFilter): Promise<number> =>
  countRows(selectMatchingArticles(db, filter));

const selectFullArticles = (query: ReturnType<typeof selectArticles>) =>
  selectRowColumns(query)
    .leftJoin('users as editor', 'editor.id', 'draft.editorId')
    .select([
      'articles.version',
      'draft.excerpt',
      'draft.contentMd',
      'draft.categoryIds',
      'draft.seo',
      'draft.savedAt',
      'draft.featuredMediaId',
    ])
    .select(selectPerson('editor').as('savedBy'));

export type FoundArticle = NonNullable<Awaited<ReturnType<typeof findArticle>>>;

/** Finds an article with the text of its draft, unless it's deleted. */
export const findArticle = (db: DbOrTx, id: string) =>
  selectFullArticles(selectArticles(db)).where('articles.id', '=', id).executeTakeFirst();

/**
 * Lists the articles of a kind with the texts of their drafts, newest first. `before`: ID of the previous page's last
 * article.
 */
export function listFullArticles(
  db: DbOrTx,
  { kind, before, limit }: { kind: ArticleKind; before: string | undefined; limit: number },
): Promise<FoundArticle[]> {
  let query = selectFullArticles(selectArticles(db)).where('articles.kind', '=', kind);
  if (before) query = query.where('articles.id', '<', before);
  return query.orderBy('articles.id', 'desc').limit(limit).execute();
}
