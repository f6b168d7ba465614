import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import type { PostCard, PostPage } from '@uprez/contracts/schemas/content/posts';
import { type CategoryRow, findCategoryBySlug } from '@uprez/db/queries/content/categories';
import { countPosts, findFeatured, listPosts, type PublicCard } from '@uprez/db/queries/content/public-posts';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { showImage } from '../text/show-image.ts';

const { postsPerPage } = articleLimits;

/** `category`: the slug of a category. */
type Query = { category?: string | undefined; page: number };

/**
 * A page of the public posts, the latest first. The first page of all posts has the featured one, and no other page lists it.
 * Throws `category_not_found`.
 */
export async function listPublicPosts({ db }: Needs<'db'>, { category, page }: Query): Promise<PostPage> {
  const found = category === undefined ? undefined : await requireCategory({ db }, category);
  const categoryId = found?.id;
  const featured = categoryId === undefined ? await findFeatured(db) : undefined;
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

/** A public post in a list. */
export const presentCard = ({ publishedAt, ...card }: PublicCard): PostCard => ({
  title: card.title,
  slug: card.slug,
  excerpt: card.excerpt,
  author: card.author,
  categories: card.categories,
  readingMinutes: card.readingMinutes,
  publishedAt: publishedAt.toISOString(),
  image: showImage(card.image),
});
