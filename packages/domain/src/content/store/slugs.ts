import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockSlugs } from '@uprez/db/locks';
import { type ArticleRow, isSlugTaken, listTakenSlugs } from '@uprez/db/queries/content/articles';
import { makeArticleSlug, makeFreeSlug } from '../text/make-slug.ts';

export const makeSlugTakenError = (): AppError => new AppError('slug_taken', { param: 'slug' });

type SluggedArticle = Pick<ArticleRow, 'id' | 'kind'>;

/**
 * Whether no other article of the kind uses the slug for its public text or its draft. Locks the kind's slugs until the
 * transaction ends, so the result stays valid.
 */
export async function isSlugFree(tx: Tx, { id: articleId, kind }: SluggedArticle, slug: string): Promise<boolean> {
  await lockSlugs(tx, kind);
  return !(await isSlugTaken(tx, { kind, slug, articleId }));
}

/** Throws `slug_taken` if another article of the kind uses the slug for its public text or its draft. */
export async function requireFreeSlug(tx: Tx, article: SluggedArticle, slug: string): Promise<void> {
  if (!(await isSlugFree(tx, article, slug))) throw makeSlugTakenError();
}

/** Returns a slug made from the title that no other article of the kind uses. */
export async function findFreeSlug(tx: Tx, { id: articleId, kind }: SluggedArticle, title: string): Promise<string> {
  await lockSlugs(tx, kind);
  const slug = makeArticleSlug({ title, kind });
  return makeFreeSlug({ title, kind }, await listTakenSlugs(tx, { kind, slug, articleId }));
}
