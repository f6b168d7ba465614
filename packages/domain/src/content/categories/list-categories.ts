import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import {
  type CountedCategory,
  findCategoryBySlug,
  listCategories as listRows,
} from '@uprez/db/queries/content/categories';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

/**
 * Returns the categories of a kind, oldest first, with the number of public articles of each. Defaults to the
 * categories of the blog.
 */
export const listCategories = async ({ db }: Needs<'db'>, kind: ArticleKind = 'post'): Promise<Category[]> =>
  (await listRows(db, kind)).map(presentCategory);

/** Returns the current slug of the blog category that has or had `slug`. Undefined if there is none. */
export const findCategorySlug = async ({ db }: Needs<'db'>, slug: string): Promise<string | undefined> =>
  isSlug(slug) ? (await findCategoryBySlug(db, 'post', slug))?.slug : undefined;

export const presentCategory = ({ kind: _, createdAt, ...category }: CountedCategory): Category => ({
  ...category,
  createdAt: createdAt.toISOString(),
});
