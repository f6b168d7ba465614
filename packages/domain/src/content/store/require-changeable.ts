import { AppError } from '@uprez/contracts/errors/app-error';
import { isFixed } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/db/queries/content/articles';

/** Throws `article_fixed` for an article that is always public at its URL. */
export function requireChangeable({ kind }: Pick<ArticleRow, 'kind'>, param?: 'fields/slug'): void {
  if (isFixed(kind)) throw new AppError('article_fixed', { ...(param && { param }) });
}
