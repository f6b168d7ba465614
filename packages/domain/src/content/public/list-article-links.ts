import { articleLimits } from '@uprez/contracts/policy/articles';
import { listPublicSlugs } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';

/** The public articles of the help center, pages of the site, and positions, for the sitemap. */
export const listArticleLinks = async ({ db }: Needs<'db'>) =>
  (await listPublicSlugs(db, ['help', 'page', 'legal', 'position'], articleLimits.sitemapPosts)).map(
    ({ kind, slug, revisedAt }) => ({ kind, slug, updatedAt: revisedAt }),
  );
