import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import { imageSourcesOf } from '@uprez/contracts/policy/images/media';
import type { MediaImage } from '@uprez/contracts/schemas/content/media';
import type { PostCard, PostPage, PublicPost } from '@uprez/contracts/schemas/content/posts';
import { type CategoryRow, findCategoryBySlug } from '@uprez/db/queries/content/categories';
import { listPublicSlugs } from '@uprez/db/queries/content/public-articles';
import {
  countPosts,
  type FeaturedImage,
  findFeaturedPost,
  findPost,
  listPostSlugs,
  listPosts,
  listPostTexts,
  type PublicPostCard,
} from '@uprez/db/queries/content/public-posts';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

const { postsPerPage } = articleLimits;

/** `category`: the slug of a category. */
type Query = { category?: string | undefined; page: number };

/**
 * Returns a page of public posts, latest first. Without `category`, the featured post is separate, and only on the
 * first page. Throws `category_not_found`.
 */
export async function listPublicPosts({ db }: Needs<'db'>, { category, page }: Query): Promise<PostPage> {
  const found = category === undefined ? undefined : await requireCategory({ db }, category);
  const categoryId = found?.id;
  const featured = categoryId === undefined ? await findFeaturedPost(db) : undefined;
  const filter = { categoryId, without: featured?.id };
  const [posts, count] = await Promise.all([
    listPosts(db, { ...filter, limit: postsPerPage, offset: (page - 1) * postsPerPage }),
    countPosts(db, filter),
  ]);
  return {
    category: found?.slug ?? null,
    featured: featured && page === 1 ? presentCard(featured) : null,
    posts: posts.map(presentCard),
    page,
    pages: Math.max(1, Math.ceil(count / postsPerPage)),
  };
}

async function requireCategory({ db }: Needs<'db'>, slug: string): Promise<CategoryRow> {
  const found = isSlug(slug) ? await findCategoryBySlug(db, 'post', slug) : undefined;
  if (!found) throw new AppError('category_not_found');
  return found;
}

const presentCard = ({ publishedAt, ...card }: PublicPostCard): PostCard => ({
  title: card.title,
  slug: card.slug,
  excerpt: card.excerpt,
  author: card.author,
  categories: card.categories,
  readingMinutes: card.readingMinutes,
  publishedAt: publishedAt.toISOString(),
  image: presentImage(card.image),
});

export const presentImage = (image: FeaturedImage | null): MediaImage | null =>
  image && { ...imageSourcesOf(image), alt: image.alt };

/** Returns the public post that has or had `slug`, with its current slug. Undefined if no public post matches. */
export async function findPublicPost({ db }: Needs<'db'>, slug: string): Promise<PublicPost | undefined> {
  const found = isSlug(slug) ? await findPost(db, slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { html, revisedAt, seo } = found;
  return { ...presentCard(found), html, updatedAt: revisedAt.toISOString(), seo };
}

/** Returns the public help articles, site pages, and positions, for the sitemap. */
export const listArticleLinks = async ({ db }: Needs<'db'>) =>
  (await listPublicSlugs(db, ['help', 'page', 'legal', 'position'], articleLimits.sitemapPosts)).map(
    ({ kind, slug, revisedAt }) => ({ kind, slug, updatedAt: revisedAt }),
  );

/** Returns the latest public posts with their HTML, for feeds. */
export const listFeedPosts = async ({ db }: Needs<'db'>) =>
  (await listPostTexts(db, articleLimits.feedPosts)).map(({ revisedAt, image, ...post }) => ({
    ...post,
    image: presentImage(image),
    updatedAt: revisedAt,
  }));

/** Returns the public posts, latest first, for the sitemap. */
export const listPostLinks = async ({ db }: Needs<'db'>) =>
  (await listPostSlugs(db, articleLimits.sitemapPosts)).map(({ slug, revisedAt, image }) => ({
    slug,
    updatedAt: revisedAt,
    image: presentImage(image),
  }));
