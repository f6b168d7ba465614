import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { selectPublicName } from './person.ts';
import { hasOrHadSlug } from './public-articles.ts';

const kind: ArticleKind = 'post';

const selectPosts = (db: DbOrTx) =>
  db
    .selectFrom('articles')
    .leftJoin('users as author', 'author.id', 'articles.authorId')
    .where('articles.kind', '=', kind)
    .where('articles.status', '=', 'published')
    .where('articles.deletedAt', 'is', null);

const categories = sql<{ name: string; slug: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'slug', slug) order by lower(name)), '[]')
  from article_categories member join categories on categories.id = member.category_id
  where member.article_id = articles.id)`;

/** Columns that every public post has are typed as not null: slug, reading time, and publication time. */
const selectCards = (query: ReturnType<typeof selectPosts>) =>
  query
    .select(['articles.id', 'articles.title', 'articles.excerpt'])
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.readingMinutes').$notNull().as('readingMinutes'),
      ref('articles.publishedAt').$notNull().as('publishedAt'),
    ])
    .select([
      selectPublicName('author').as('author'),
      categories.as('categories'),
      selectFeaturedImage('articles').as('image'),
    ]);

export type PublicPostCard = Awaited<ReturnType<typeof listPosts>>[number];
/** `categoryId`: only posts in this category. `without`: ID of a post to leave out. */
type PostFilter = { categoryId?: string | undefined; without?: string | undefined };

function selectMatchingPosts(db: DbOrTx, { categoryId, without }: PostFilter) {
  let query = selectPosts(db);
  if (without) query = query.where('articles.id', '<>', without);
  if (!categoryId) return query;
  return query.where(
    sql<SqlBool>`exists (select from article_categories where article_id = articles.id and category_id = ${categoryId})`,
  );
}

export const listPosts = (db: DbOrTx, { limit, offset, ...filter }: PostFilter & { limit: number; offset: number }) =>
  selectCards(selectMatchingPosts(db, filter))
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

export async function countPosts(db: DbOrTx, filter: PostFilter): Promise<number> {
  const counted = selectMatchingPosts(db, filter).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Finds the latest public post that editors marked as featured. */
export const findFeaturedPost = (db: DbOrTx): Promise<PublicPostCard | undefined> =>
  selectCards(selectPosts(db))
    .where('articles.featured', '=', true)
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Finds the public post with a slug, or else the post that had the slug last. */
export const findPost = (db: DbOrTx, slug: string) =>
  selectCards(selectPosts(db))
    .select('articles.seo')
    .select(({ ref }) => [
      ref('articles.html').$notNull().as('html'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .where(hasOrHadSlug([kind], slug))
    .orderBy(sql`articles.slug = ${slug}`, 'desc')
    .limit(1)
    .executeTakeFirst();

export const listPostTexts = (db: DbOrTx, limit: number) =>
  selectCards(selectPosts(db))
    .select(({ ref }) => [
      ref('articles.html').$notNull().as('html'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute();

/** Lists the slugs of the latest public posts, and when their content last changed. */
export const listPostSlugs = (db: DbOrTx, limit: number) =>
  selectPosts(db)
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .select(selectFeaturedImage('articles').as('image'))
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute();

/** An image of the media library. Pages load it by its version. */
export type FeaturedImage = { id: string; version: number; width: number; height: number; alt: string };

/**
 * Returns an SQL expression for the featured image of the current row of `alias`, a table name or table alias in the
 * query. Null if no image is set or if its file is deleted.
 */
export const selectFeaturedImage = (alias: 'articles' | 'draft'): RawBuilder<FeaturedImage | null> =>
  sql<FeaturedImage | null>`(
    select jsonb_build_object('id', id, 'version', version, 'width', width, 'height', height, 'alt', alt)
    from media where id = ${sql.ref(`${alias}.featuredMediaId`)} and deleted_at is null)`;
