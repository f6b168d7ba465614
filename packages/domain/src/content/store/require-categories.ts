import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Tx } from '@uprez/db/database';
import { listKnownCategories } from '@uprez/db/queries/content/categories';

/** The IDs of categories as they are stored, each once. Throws `category_not_found` if one isn't of this kind. */
export async function requireCategories(tx: Tx, kind: ArticleKind, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const known = await listKnownCategories(tx, kind, wanted);
  if (known.length < wanted.length) throw new AppError('category_not_found', { param: 'categoryIds' });
  return wanted;
}
