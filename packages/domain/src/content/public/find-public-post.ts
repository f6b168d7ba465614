import type { PublicPost } from '@uprez/contracts/schemas/content/posts';
import { findPost } from '@uprez/db/queries/content/public-posts';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { presentCard } from './list-public-posts.ts';

/** The public post with a slug, or that had it: its present slug differs then. Undefined: no post is public there. */
export async function findPublicPost({ db }: Needs<'db'>, slug: string): Promise<PublicPost | undefined> {
  const found = isSlug(slug) ? await findPost(db, slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { html, revisedAt, seo } = found;
  return { ...presentCard(found), html, updatedAt: revisedAt.toISOString(), seo };
}
