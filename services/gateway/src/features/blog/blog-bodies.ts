import type { PostCard, PostPage, PublicPost } from '@uprez/contracts/schemas/content/posts';
import { formatDay } from '@uprez/contracts/texts/format';
import { categoryPath, postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { escapeHtml } from '../../http/web/escape-html.ts';
import { link, servedMain } from '../../http/web/served-body.ts';
import { imageTag } from './image-tag.ts';

/** The widths of images in the app, which has loaded them then. Those of cards repeat the title, so they have no text. */
const postSizes = '(min-width: 45rem) 42rem, 100vw';
const cardSizes = '(min-width: 60rem) 57rem, 100vw';

/** The author, day, reading time, and categories of a post. */
function byline({ author, publishedAt, readingMinutes, categories }: PostCard): string {
  const day = `<time datetime="${escapeHtml(publishedAt)}">${formatDay(publishedAt)}</time>`;
  const names = categories.map(({ slug, name }) => link(categoryPath(slug), name));
  const facts = [author && escapeHtml(author), day, `${readingMinutes} min read`, ...names];
  return `<p>${facts.filter(Boolean).join(' · ')}</p>`;
}

/** A post with its text. `html` was sanitized when it was rendered. */
export const postBody = (post: PublicPost): string =>
  servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.blog, 'All posts')}</nav>`,
    `<article>\n<h1>${escapeHtml(post.title)}</h1>`,
    post.excerpt && `<p>${escapeHtml(post.excerpt)}</p>`,
    byline(post),
    post.image && imageTag(post.image, postSizes),
    post.html,
    '</article>',
  ]);

const card = (post: PostCard) =>
  [
    '<article>',
    post.image && imageTag({ ...post.image, alt: '' }, cardSizes),
    `<h2>${link(postPath(post.slug), post.title)}</h2>`,
    byline(post),
    post.excerpt && `<p>${escapeHtml(post.excerpt)}</p>`,
    '</article>',
  ]
    .filter(Boolean)
    .join('\n');

type List = { title: string; description: string; list: PostPage; pathOf: (page: number) => string };

/** A page of posts. */
export function listBody({ title, description, list, pathOf }: List): string {
  const { featured, posts, page, pages } = list;
  const moves = [
    page > 1 && link(pathOf(page - 1), 'Newer posts'),
    page < pages && link(pathOf(page + 1), 'Older posts'),
  ].filter(Boolean);
  return servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.blog, 'All posts')}</nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    description && `<p>${escapeHtml(description)}</p>`,
    ...[...(featured ? [featured] : []), ...posts].map(card),
    moves.length > 0 ? `<nav>${moves.join(' ')}</nav>` : '',
  ]);
}
