import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockSlugs } from '@uprez/db/locks';
import { type ArticleRow, isSlugTaken, listTakenSlugs } from '@uprez/db/queries/content/articles';
import { makeFreeSlug, makeSlugOf } from '../text/make-slug.ts';

export const slugTaken = (): AppError => new AppError('slug_taken', { param: 'slug' });

type Slugged = Pick<ArticleRow, 'id' | 'kind'>;

/**
 * Whether no other article of the kind has the slug, in public or in its draft. Locks slugs until the transaction ends,
 * so that the result stays valid.
 */
export async function isSlugFree(tx: Tx, { id: articleId, kind }: Slugged, slug: string): Promise<boolean> {
  await lockSlugs(tx, kind);
  return !(await isSlugTaken(tx, { kind, slug, articleId }));
}

/** Throws `slug_taken` if another article of the kind has the slug, in public or in its draft. */
export async function requireFreeSlug(tx: Tx, article: Slugged, slug: string): Promise<void> {
  if (!(await isSlugFree(tx, article, slug))) throw slugTaken();
}

/** Returns a slug made from the title that no other article of the kind has. */
export async function findFreeSlug(tx: Tx, { id: articleId, kind }: Slugged, title: string): Promise<string> {
  await lockSlugs(tx, kind);
  const slug = makeSlugOf({ title, kind });
  return makeFreeSlug({ title, kind }, await listTakenSlugs(tx, { kind, slug, articleId }));
}
