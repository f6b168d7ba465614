import { articleLimits } from '@uprez/contracts/policy/articles';
import { listPostSlugs, listPostTexts } from '@uprez/db/queries/content/public-posts';
import type { Needs } from '../../context.ts';
import { showImage } from '../text/show-image.ts';

/** The latest public posts with their HTML, for feeds. */
export const listFeedPosts = async ({ db }: Needs<'db'>) =>
  (await listPostTexts(db, articleLimits.feedPosts)).map(({ revisedAt, image, ...post }) => ({
    ...post,
    image: showImage(image),
    updatedAt: revisedAt,
  }));

/** The public posts, the latest first, for the sitemap. */
export const listPostLinks = async ({ db }: Needs<'db'>) =>
  (await listPostSlugs(db, articleLimits.sitemapPosts)).map(({ slug, revisedAt, image }) => ({
    slug,
    updatedAt: revisedAt,
    image: showImage(image),
  }));
