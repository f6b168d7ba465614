import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import { type CountedCategory, listCategories as listRows } from '@uprez/db/queries/content/categories';
import type { Needs } from '../../context.ts';

/** The categories of a kind, the oldest first, with how many public articles they have. By default, those of the blog. */
export const listCategories = async ({ db }: Needs<'db'>, kind: ArticleKind = 'post'): Promise<Category[]> =>
  (await listRows(db, kind)).map(presentCategory);

export const presentCategory = ({ kind: _, createdAt, ...category }: CountedCategory): Category => ({
  ...category,
  createdAt: createdAt.toISOString(),
});
