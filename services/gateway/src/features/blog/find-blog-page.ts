import type { Category } from '@uprez/contracts/schemas/content/articles';
import type { MediaImage } from '@uprez/contracts/schemas/content/media';
import type { PostCard, PostPage, PublicPost } from '@uprez/contracts/schemas/content/posts';
import { formatDay } from '@uprez/contracts/texts/format';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { articlePages, categoryPath, postPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import { findCategorySlug, listCategories } from '@uprez/domain/content/categories';
import { findPublicPost, listPublicPosts } from '@uprez/domain/content/public/public-posts';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  escapeHtml,
  type FoundPage,
  headOf,
  link,
  missingPage,
  type PageDocument,
  type PageHead,
  type PageSettings,
  pageMeta,
  patternOf,
  queryOf,
  renderStructuredData,
  servedMain,
  siteUrlOf,
} from '../../http/web/page-document.ts';

type BlogPageDeps = Pick<Deps, 'db'>;

const postPattern = patternOf(articlePages.post);
const categoryPattern = patternOf(articlePages.category);
const previewPattern = patternOf(articlePages.preview);

export async function findBlogPage(deps: BlogPageDeps, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  const post = postPattern.exec(path)?.[1];
  if (post) return findPost(deps, { slug: post, url });
  const category = categoryPattern.exec(path)?.[1];
  if (category) return findCategory(deps, { slug: category, url });
  if (path === sitePaths.blog) return { page: await findList(deps, url) };
  // Doesn't look up the draft, because the app checks whether the preview link is valid.
  return previewPattern.test(path) ? { page: { head: { title: 'Preview' } } } : undefined;
}

type Address = { slug: string; url: string };

async function findPost(deps: BlogPageDeps, { slug, url }: Address): Promise<FoundPage> {
  const post = await findPublicPost(deps, slug);
  if (!post) return { page: missingPage };
  return post.slug === slug ? { page: postDocument(post) } : { movedTo: postPath(post.slug) + queryOf(url) };
}

async function findList(deps: BlogPageDeps, url: string): Promise<PageDocument> {
  const page = pageNumberOf(url);
  if (page === undefined) return missingPage;
  const list = await listPublicPosts(deps, { page });
  return list.page > list.pages ? missingPage : listDocument(list);
}

async function findCategory(deps: BlogPageDeps, { slug, url }: Address): Promise<FoundPage> {
  const page = pageNumberOf(url);
  const present = page && (await findCategorySlug(deps, slug));
  if (!present) return { page: missingPage };
  if (present !== slug) return { movedTo: categoryPath(present) + queryOf(url) };
  const category = (await listCategories(deps)).find((one) => one.slug === slug);
  const list = await listPublicPosts(deps, { category: slug, page });
  return { page: list.page > list.pages ? missingPage : listDocument(list, category) };
}

/** Returns the page number in a query, or 1 by default. Undefined if it isn't an integer from 1 to 9999. */
function pageNumberOf(url: string): number | undefined {
  const text = /[?&]page=([^&#]*)/.exec(url)?.[1] ?? '1';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

const blog = { title: pageTitles[sitePaths.blog], description: pageDescriptions[sitePaths.blog] };
const blogCrumb = { name: blog.title, path: sitePaths.blog };

const categoryHead = ({ name, description }: Category): PageHead => ({
  title: `${name} - ${blog.title}`,
  description: description || undefined,
});

const pathOfPage = (path: string) => (page: number) => (page === 1 ? path : `${path}?page=${page}`);

function listDocument(list: PostPage, category?: Category): PageDocument {
  const path = category ? categoryPath(category.slug) : sitePaths.blog;
  const head: PageHead = category ? categoryHead(category) : blog;
  const pathOf = pathOfPage(path);
  const title = category?.name ?? blog.title;
  return {
    head: list.page === 1 ? head : { ...head, title: `${head.title}, page ${list.page}` },
    canonical: pathOf(list.page),
    crumbs: category ? [blogCrumb, { name: category.name, path }] : [blogCrumb],
    hasFeeds: true,
    body: listBody({ title, description: head.description ?? '', list, pathOf }),
  };
}

function postDocument(post: PublicPost): PageDocument {
  const path = postPath(post.slug);
  return {
    head: headOf(post),
    canonical: path,
    crumbs: [blogCrumb, { name: post.title, path }],
    hasFeeds: true,
    ogType: 'article',
    image: post.image ? { ...post.image, url: post.image.src } : undefined,
    tags: (settings) => [
      pageMeta('property', 'article:published_time', post.publishedAt),
      pageMeta('property', 'article:modified_time', post.updatedAt),
      ...post.categories.map(({ name }) => pageMeta('property', 'article:tag', name)),
      describePost(post, settings),
    ],
    body: postBody(post),
  };
}

function imageFacts({ image }: PublicPost, settings: PageSettings) {
  if (!image) return settings.seo.ogImage ? { image: settings.seo.ogImage } : {};
  const { src, width, height } = image;
  return { image: { '@type': 'ImageObject', url: siteUrlOf(settings, src), width, height } };
}

function describePost(post: PublicPost, settings: PageSettings): string {
  const { seo, site } = settings;
  const url = siteUrlOf(settings, postPath(post.slug));
  const publisher = { '@type': 'Organization', name: site.company || site.siteName, url: siteUrlOf(settings, '/') };
  return renderStructuredData({
    '@type': 'BlogPosting',
    headline: post.title,
    description: headOf(post).description ?? seo.metaDescription,
    ...imageFacts(post, settings),
    datePublished: post.publishedAt,
    dateModified: post.updatedAt,
    author: post.author ? { '@type': 'Person', name: post.author } : publisher,
    publisher,
    mainEntityOfPage: url,
    articleSection: post.categories.map(({ name }) => name),
  });
}

/** Must match `sizes` in the app's `ArticleView`. Otherwise, the app loads an image that differs from the first one. */
const postImageSizes = '(min-width: 45rem) 42rem, 100vw';
const cardImageSizes = '(min-width: 60rem) 57rem, 100vw';

function byline({ author, publishedAt, readingMinutes, categories }: PostCard): string {
  const day = `<time datetime="${escapeHtml(publishedAt)}">${formatDay(publishedAt)}</time>`;
  const names = categories.map(({ slug, name }) => link(categoryPath(slug), name));
  const facts = [author && escapeHtml(author), day, `${readingMinutes} min read`, ...names];
  return `<p>${facts.filter(Boolean).join(' · ')}</p>`;
}

/** Doesn't escape `html`, which was sanitized when it was created. */
const postBody = (post: PublicPost): string =>
  servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.blog, 'All posts')}</nav>`,
    `<article>\n<h1>${escapeHtml(post.title)}</h1>`,
    post.excerpt && `<p>${escapeHtml(post.excerpt)}</p>`,
    byline(post),
    post.image && imageTag(post.image, postImageSizes),
    post.html,
    '</article>',
  ]);

const renderCard = (post: PostCard) =>
  [
    '<article>',
    post.image && imageTag({ ...post.image, alt: '' }, cardImageSizes),
    `<h2>${link(postPath(post.slug), post.title)}</h2>`,
    byline(post),
    post.excerpt && `<p>${escapeHtml(post.excerpt)}</p>`,
    '</article>',
  ]
    .filter(Boolean)
    .join('\n');

type PostListInput = { title: string; description: string; list: PostPage; pathOf: (page: number) => string };

function listBody({ title, description, list, pathOf }: PostListInput): string {
  const { featured, posts, page, pages } = list;
  const moves = [
    page > 1 && link(pathOf(page - 1), 'Newer posts'),
    page < pages && link(pathOf(page + 1), 'Older posts'),
  ].filter(Boolean);
  return servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.blog, 'All posts')}</nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    description && `<p>${escapeHtml(description)}</p>`,
    ...[...(featured ? [featured] : []), ...posts].map(renderCard),
    moves.length > 0 ? `<nav>${moves.join(' ')}</nav>` : '',
  ]);
}

export function imageTag({ src, srcset, width, height, alt }: MediaImage, sizes?: string): string {
  const sources = sizes === undefined ? '' : ` srcset="${escapeHtml(srcset)}" sizes="${escapeHtml(sizes)}"`;
  return `<img src="${escapeHtml(src)}"${sources} width="${width}" height="${height}" alt="${escapeHtml(alt)}" />`;
}
