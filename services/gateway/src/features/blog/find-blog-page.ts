import { articlePages, categoryPath, postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { findCategorySlug, listCategories } from '@uprez/domain/content/categories/list-categories';
import { findPublicPost } from '@uprez/domain/content/public/find-public-post';
import { listPublicPosts } from '@uprez/domain/content/public/list-public-posts';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, missingPage, type PageDocument, patternOf, queryOf } from '../../http/web/page-document.ts';
import { listDocument, postDocument } from './blog-documents.ts';

type Reading = Pick<Deps, 'db'>;

const postPattern = patternOf(articlePages.post);
const categoryPattern = patternOf(articlePages.category);
const previewPattern = patternOf(articlePages.preview);

/** Finds the page of a URL of the blog. Undefined for other URLs. */
export async function findBlogPage(deps: Reading, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  const post = postPattern.exec(path)?.[1];
  if (post) return findPost(deps, { slug: post, url });
  const category = categoryPattern.exec(path)?.[1];
  if (category) return findCategory(deps, { slug: category, url });
  if (path === sitePaths.blog) return { page: await findList(deps, url) };
  // The app says whether the link is valid.
  return previewPattern.test(path) ? { page: { head: { title: 'Preview' } } } : undefined;
}

type Address = { slug: string; url: string };

async function findPost(deps: Reading, { slug, url }: Address): Promise<FoundPage> {
  const post = await findPublicPost(deps, slug);
  if (!post) return { page: missingPage };
  return post.slug === slug ? { page: postDocument(post) } : { movedTo: postPath(post.slug) + queryOf(url) };
}

async function findList(deps: Reading, url: string): Promise<PageDocument> {
  const page = pageOf(url);
  if (page === undefined) return missingPage;
  const list = await listPublicPosts(deps, { page });
  return list.page > list.pages ? missingPage : listDocument(list);
}

async function findCategory(deps: Reading, { slug, url }: Address): Promise<FoundPage> {
  const page = pageOf(url);
  const present = page && (await findCategorySlug(deps, slug));
  if (!present) return { page: missingPage };
  if (present !== slug) return { movedTo: categoryPath(present) + queryOf(url) };
  const category = (await listCategories(deps)).find((one) => one.slug === slug);
  const list = await listPublicPosts(deps, { category: slug, page });
  return { page: list.page > list.pages ? missingPage : listDocument(list, category) };
}

/** The number of a page in a query; by default the first page. Undefined: no page can have it. */
function pageOf(url: string): number | undefined {
  const text = /[?&]page=([^&#]*)/.exec(url)?.[1] ?? '1';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}
