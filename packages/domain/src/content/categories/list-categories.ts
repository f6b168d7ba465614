import type { Category } from '@uprez/contracts/schemas/content/categories';
import { type CountedCategory, listCategories as listRows } from '@uprez/db/queries/content/categories';
import type { Needs } from '../../context.ts';

/** The categories of the blog, the oldest first, with how many public posts they have. */
export const listCategories = async ({ db }: Needs<'db'>): Promise<Category[]> =>
  (await listRows(db, 'post')).map(presentCategory);

export const presentCategory = ({ kind: _, createdAt, ...category }: CountedCategory): Category => ({
  ...category,
  createdAt: createdAt.toISOString(),
});
