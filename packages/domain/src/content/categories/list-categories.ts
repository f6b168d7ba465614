import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import {
  type CountedCategory,
  findCategoryBySlug,
  listCategories as listRows,
} from '@uprez/db/queries/content/categories';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

/** The categories of a kind, the oldest first, with how many public articles they have. By default, those of the blog. */
export const listCategories = async ({ db }: Needs<'db'>, kind: ArticleKind = 'post'): Promise<Category[]> =>
  (await listRows(db, kind)).map(presentCategory);

/** The present slug of the category of the blog that has a slug, or had it. Undefined: there is none. */
export const findCategorySlug = async ({ db }: Needs<'db'>, slug: string): Promise<string | undefined> =>
  isSlug(slug) ? (await findCategoryBySlug(db, 'post', slug))?.slug : undefined;

export const presentCategory = ({ kind: _, createdAt, ...category }: CountedCategory): Category => ({
  ...category,
  createdAt: createdAt.toISOString(),
});
