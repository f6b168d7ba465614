import type { Category } from '@uprez/contracts/schemas/content/categories';
import type { PostPage, PublicPost } from '@uprez/contracts/schemas/content/posts';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { categoryPath, postPath, sitePaths } from '@uprez/contracts/texts/pages';
import { describeAs } from '../../http/web/escape-html.ts';
import type { PageDocument, PageHead, PageSettings } from '../../http/web/page-document.ts';
import { pageMeta, siteUrlOf } from '../../http/web/page-head.ts';
import { listBody, postBody } from './blog-bodies.ts';

const blog = { title: pageTitles[sitePaths.blog], description: pageDescriptions[sitePaths.blog] };
const blogCrumb = { name: blog.title, path: sitePaths.blog };

/** An empty description becomes that of the site. */
const postHead = ({ title, excerpt, seo }: PublicPost): PageHead => ({
  title: seo.title || title,
  description: seo.description || excerpt || undefined,
});

const categoryHead = ({ name, description }: Category): PageHead => ({
  title: `${name} - ${blog.title}`,
  description: description || undefined,
});

const pathOfPage = (path: string) => (page: number) => (page === 1 ? path : `${path}?page=${page}`);

/** The document of a page of posts. `category`: the one of the posts. */
export function listDocument(list: PostPage, category?: Category): PageDocument {
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

/** The document of a post. */
export function postDocument(post: PublicPost): PageDocument {
  const path = postPath(post.slug);
  return {
    head: postHead(post),
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
  return describeAs({
    '@type': 'BlogPosting',
    headline: post.title,
    description: postHead(post).description ?? seo.metaDescription,
    ...imageFacts(post, settings),
    datePublished: post.publishedAt,
    dateModified: post.updatedAt,
    author: post.author ? { '@type': 'Person', name: post.author } : publisher,
    publisher,
    mainEntityOfPage: url,
    articleSection: post.categories.map(({ name }) => name),
  });
}
