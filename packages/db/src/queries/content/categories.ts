import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { CategoriesTable } from '../../tables/content-tables.ts';

export type CategoryRow = Selectable<CategoriesTable>;
export type CountedCategory = CategoryRow & { posts: number };

const publicArticleCount = sql<number>`(
  select count(*) from article_categories member join articles on articles.id = member.article_id
  where member.category_id = categories.id and articles.status = 'published' and articles.deleted_at is null)`;

/** Lists the categories of a kind, oldest first, each with its number of public articles. */
export const listCategories = (db: DbOrTx, kind: ArticleKind): Promise<CountedCategory[]> =>
  db
    .selectFrom('categories')
    .selectAll()
    .select(publicArticleCount.as('posts'))
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();

/** Finds the category with a slug, or else the category of this kind that had the slug last. Ignores case. */
export const findCategoryBySlug = (db: DbOrTx, kind: ArticleKind, slug: string): Promise<CategoryRow | undefined> =>
  db
    .selectFrom('categories')
    .selectAll()
    .where('kind', '=', kind)
    .where((eb) =>
      eb.or([
        eb(sql`lower(slug)`, '=', slug.toLowerCase()),
        eb(
          'id',
          '=',
          eb
            .selectFrom('categoryRedirects')
            .select('categoryId')
            .where('kind', '=', kind)
            .where('slug', '=', slug.toLowerCase()),
        ),
      ]),
    )
    .orderBy(sql`lower(slug) = ${slug.toLowerCase()}`, 'desc')
    .limit(1)
    .executeTakeFirst();

/** Redirects a former slug to its category, until another category takes the slug. */
export async function insertCategoryRedirect(tx: Tx, { kind, slug, id: categoryId }: CategoryRow): Promise<void> {
  await tx
    .insertInto('categoryRedirects')
    .values({ kind, slug: slug.toLowerCase(), categoryId })
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet({ categoryId }))
    .execute();
}

export const lockCategory = (tx: Tx, id: string): Promise<CategoryRow | undefined> =>
  tx.selectFrom('categories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/**
 * Returns those of the given IDs that are categories of a kind, in the same order. Locks the categories against
 * deletion.
 */
export async function listKnownCategories(tx: Tx, kind: ArticleKind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const query = tx.selectFrom('categories').select('id').where('kind', '=', kind).where('id', 'in', ids).forKeyShare();
  const known = new Set((await query.execute()).map(({ id }) => id));
  return ids.filter((id) => known.has(id));
}

/** Lists the slugs of a kind's other categories, in lowercase. */
export async function listCategorySlugs(tx: Tx, { id, kind }: Pick<CategoryRow, 'id' | 'kind'>): Promise<string[]> {
  const query = tx.selectFrom('categories').select('slug').where('kind', '=', kind).where('id', '<>', id);
  return (await query.execute()).map(({ slug }) => slug.toLowerCase());
}

/** Finds another category of the same kind with the same name or slug, ignoring case. */
export const findConflictingCategory = (
  tx: Tx,
  { id, kind, name, slug }: Pick<CategoryRow, 'id' | 'kind' | 'name' | 'slug'>,
): Promise<CategoryRow | undefined> =>
  tx
    .selectFrom('categories')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '<>', id)
    .where((eb) =>
      eb.or([eb(sql`lower(slug)`, '=', slug.toLowerCase()), eb(sql`lower(name)`, '=', sql`lower(${name})`)]),
    )
    .executeTakeFirst();

export const insertCategory = (tx: Tx, row: Insertable<CategoriesTable>): Promise<CountedCategory> =>
  tx
    .insertInto('categories')
    .values(row)
    .returningAll()
    .returning(publicArticleCount.as('posts'))
    .executeTakeFirstOrThrow();

export const updateCategory = (tx: Tx, id: string, changes: Updateable<CategoriesTable>): Promise<CountedCategory> =>
  tx
    .updateTable('categories')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .returning(publicArticleCount.as('posts'))
    .executeTakeFirstOrThrow();

/** Deletes a category, and removes it from articles and drafts. */
export async function deleteCategory(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('articleDrafts')
    .set({ categoryIds: sql`array_remove(category_ids, ${id}::uuid)` })
    .where(sql<boolean>`${id}::uuid = any(category_ids)`)
    .execute();
  await tx.deleteFrom('categories').where('id', '=', id).execute();
}

/** Lists the IDs of an article's public categories, sorted by category name. Locks the categories against deletion. */
export async function listArticleCategories(tx: Tx, articleId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('articleCategories')
    .innerJoin('categories', 'categories.id', 'articleCategories.categoryId')
    .select('categories.id')
    .where('articleCategories.articleId', '=', articleId)
    .orderBy(sql`lower(categories.name)`)
    .forKeyShare('categories')
    .execute();
  return rows.map(({ id }) => id);
}

export async function replaceArticleCategories(tx: Tx, articleId: string, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('articleCategories').where('articleId', '=', articleId).execute();
  if (ids.length === 0) return;
  await tx
    .insertInto('articleCategories')
    .values(ids.map((categoryId) => ({ articleId, categoryId })))
    .execute();
}
