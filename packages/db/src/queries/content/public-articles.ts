import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { expressionBuilder, sql } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';

type Kinds = readonly ArticleKind[];

const selectPublicArticles = (db: DbOrTx, kinds: Kinds) =>
  db
    .selectFrom('articles')
    .where('articles.kind', 'in', kinds)
    .where('articles.status', '=', 'published')
    .where('articles.deletedAt', 'is', null);

/** The article's category, or its oldest category if it has several. */
const category = sql<{ name: string; slug: string; id: string } | null>`(
  select jsonb_build_object('name', name, 'slug', slug, 'id', id)
  from article_categories member join categories on categories.id = member.category_id
  where member.article_id = articles.id order by categories.id limit 1)`;

/** Columns that every public article has are typed as not null: slug, reading time, HTML, and publication times. */
const selectCards = (query: ReturnType<typeof selectPublicArticles>) =>
  query
    .select(['articles.id', 'articles.kind', 'articles.title', 'articles.excerpt', 'articles.featured'])
    .select(category.as('category'))
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.readingMinutes').$notNull().as('readingMinutes'),
    ]);
const selectFullTexts = (query: ReturnType<typeof selectPublicArticles>) =>
  selectCards(query)
    .select('articles.seo')
    .select(({ ref }) => [
      ref('articles.html').$notNull().as('html'),
      ref('articles.publishedAt').$notNull().as('publishedAt'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ]);
export type PublicArticleCard = Awaited<ReturnType<typeof listPublicCards>>[number];

/** Whether an article has a slug, or had it last. */
export function hasOrHadSlug(kinds: Kinds, slug: string) {
  const eb = expressionBuilder<Tables, 'articles'>();
  const redirects = eb.selectFrom('slugRedirects').where('kind', 'in', kinds).where('slug', '=', slug);
  return eb.or([eb('articles.slug', '=', slug), eb('articles.id', 'in', redirects.select('articleId'))]);
}

/** Finds the public article with a slug, or else the article of these kinds that had the slug last. */
export const findPublicArticle = (db: DbOrTx, kinds: Kinds, slug: string) =>
  selectFullTexts(selectPublicArticles(db, kinds))
    .where(hasOrHadSlug(kinds, slug))
    .orderBy(sql`articles.slug = ${slug}`, 'desc')
    .limit(1)
    .executeTakeFirst();

/** Lists the public articles of a kind in the order that administrators chose. */
export const listPublicCards = (
  db: DbOrTx,
  { kind, featured, limit }: { kind: ArticleKind; featured?: boolean; limit: number },
) => {
  let query = selectCards(selectPublicArticles(db, [kind]));
  if (featured !== undefined) query = query.where('articles.featured', '=', featured);
  return query.orderBy('articles.place').orderBy('articles.id').limit(limit).execute();
};

/**
 * Lists the public articles of a kind with their HTML, at most `perCategory` per category. Leaves out featured articles
 * and articles without a category.
 */
export async function listPublicArticles(
  db: DbOrTx,
  { kind, perCategory }: { kind: ArticleKind; perCategory: number },
) {
  const rows = selectFullTexts(selectPublicArticles(db, [kind]).where('articles.featured', '=', false))
    .select('articles.place')
    .where(category, 'is not', null);
  return db
    .with('listed', () => rows)
    .selectFrom((eb) =>
      eb
        .selectFrom('listed')
        .selectAll()
        .select(sql<number>`row_number() over (partition by category->>'id' order by place, id)`.as('number'))
        .as('numbered'),
    )
    .selectAll()
    .where('number', '<=', perCategory)
    .orderBy('place')
    .orderBy('id')
    .execute();
}

/** Lists the slugs of public articles of some kinds, and when their content last changed. */
export const listPublicSlugs = (db: DbOrTx, kinds: Kinds, limit: number) =>
  selectPublicArticles(db, kinds)
    .select('articles.kind')
    .select(({ ref }) => [
      ref('articles.slug').$notNull().as('slug'),
      ref('articles.revisedAt').$notNull().as('revisedAt'),
    ])
    .orderBy('articles.place')
    .orderBy('articles.id')
    .limit(limit)
    .execute();
