import { articleLimits } from '@uprez/contracts/policy/articles';
import { listPostSlugs, listPostTexts } from '@uprez/db/queries/content/public-posts';
import type { Needs } from '../../context.ts';

/** The latest public posts with their HTML, for feeds. */
export const listFeedPosts = async ({ db }: Needs<'db'>) =>
  (await listPostTexts(db, articleLimits.feedPosts)).map(({ revisedAt, ...post }) => ({
    ...post,
    updatedAt: revisedAt,
  }));

/** The public posts, the latest first, for the sitemap. */
export const listPostLinks = async ({ db }: Needs<'db'>) =>
  (await listPostSlugs(db, articleLimits.sitemapPosts)).map(({ slug, revisedAt }) => ({ slug, updatedAt: revisedAt }));
