import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { publicNameOf } from './person.ts';

const kind: ArticleKind = 'post';

/** Posts that anyone can read. */
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

/** Public articles have a slug, a reading time, and times of publication. */
const cards = (query: ReturnType<typeof selectPosts>) =>
  query
    .select(['articles.id', 'articles.title', 'articles.excerpt'])
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.readingMinutes').$notNull().as('readingMinutes'),
      ref('articles.publishedAt').$notNull().as('publishedAt'),
    ])
    .select([
      publicNameOf('author').as('author'),
      categories.as('categories'),
      featuredImageOf('articles').as('image'),
    ]);

export type PublicCard = Awaited<ReturnType<typeof listPosts>>[number];
/** `categoryId`: only posts of a category. `without`: the ID of a post that is left out. */
type PostFilter = { categoryId?: string | undefined; without?: string | undefined };

function selectMatchingPosts(db: DbOrTx, { categoryId, without }: PostFilter) {
  let query = selectPosts(db);
  if (without) query = query.where('articles.id', '<>', without);
  if (!categoryId) return query;
  return query.where(
    sql<SqlBool>`exists (select from article_categories where article_id = articles.id and category_id = ${categoryId})`,
  );
}

/** Public posts, the latest first. */
export const listPosts = (db: DbOrTx, { limit, offset, ...filter }: PostFilter & { limit: number; offset: number }) =>
  cards(selectMatchingPosts(db, filter))
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** Counts the public posts. */
export async function countPosts(db: DbOrTx, filter: PostFilter): Promise<number> {
  const counted = selectMatchingPosts(db, filter).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** The latest public post that editors marked to be shown first. */
export const findFeatured = (db: DbOrTx): Promise<PublicCard | undefined> =>
  cards(selectPosts(db))
    .where('articles.featured', '=', true)
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The public post with a slug, or that had it before any other post took it. */
export const findPost = (db: DbOrTx, slug: string) =>
  cards(selectPosts(db))
    .select('articles.seo')
    .select(({ ref }) => [
      ref('articles.html').$notNull().as('html'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .where((eb) =>
      eb.or([
        eb('articles.slug', '=', slug),
        eb(
          'articles.id',
          '=',
          eb.selectFrom('slugRedirects').select('articleId').where('kind', '=', kind).where('slug', '=', slug),
        ),
      ]),
    )
    .orderBy(sql`articles.slug = ${slug}`, 'desc')
    .limit(1)
    .executeTakeFirst();

/** The latest public posts with their texts. */
export const listPostTexts = (db: DbOrTx, limit: number) =>
  cards(selectPosts(db))
    .select(({ ref }) => [
      ref('articles.html').$notNull().as('html'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute();

/** The slugs of the latest public posts, and when their texts changed last. */
export const listPostSlugs = (db: DbOrTx, limit: number) =>
  selectPosts(db)
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .select(featuredImageOf('articles').as('image'))
    .orderBy('articles.publishedAt', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute();

/** An image of the media library, by whose version pages load it. */
export type FeaturedImage = { id: string; version: number; width: number; height: number; alt: string };

/** The featured image of the table that a query names `alias`. Null: none, or a deleted file. */
export const featuredImageOf = (alias: 'articles' | 'draft'): RawBuilder<FeaturedImage | null> =>
  sql<FeaturedImage | null>`(
    select jsonb_build_object('id', id, 'version', version, 'width', width, 'height', height, 'alt', alt)
    from media where id = ${sql.ref(`${alias}.featuredMediaId`)} and deleted_at is null)`;
