import type { Post } from '@uprez/contracts/schemas/content/posts';
import { mediaPath } from '@uprez/contracts/texts/media';
import { countArticles, type FoundArticle, listFullArticles } from '@uprez/db/queries/content/list-articles';
import type { Needs } from '../../context.ts';
import { type IdPageQuery, parseUuid, readIdPage } from '../../read-id-pages.ts';
import type { TablePage } from '../../read-table.ts';

/** Returns a page of all posts with their texts, newest first. Throws `invalid_parameter`. */
export async function listPosts({ db }: Needs<'db'>, page: IdPageQuery): Promise<TablePage<Post>> {
  const kind = 'post';
  const found = await readIdPage<FoundArticle>(
    { list: 'posts', parseId: parseUuid, ...page },
    { list: (part) => listFullArticles(db, { kind, ...part }), count: () => countArticles(db, { kind }) },
  );
  return { ...found, rows: found.rows.map(presentPost) };
}

/** Converts a post for the authors' API, with the text of its draft. */
export const presentPost = (found: FoundArticle): Post => ({
  id: found.id,
  title: found.title,
  content: found.contentMd,
  excerpt: found.excerpt,
  status: found.status,
  slug: found.slug,
  author: found.author && { firstName: found.author.firstName, email: found.author.email },
  categoryNames: found.categories.map(({ name }) => name),
  categoryIds: found.categories.map(({ id }) => id),
  publishedAt: (found.publishAt ?? found.publishedAt)?.toISOString() ?? null,
  seo: found.seo,
  featuredImage: found.featuredMediaId === null ? '' : mediaPath(found.featuredMediaId),
});
