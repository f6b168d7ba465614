import type { SeoSettings } from '@uprez/contracts/schemas/admin/seo-settings';
import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { notFoundTitle, pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

/** The title of a page, without the name of the site, and what search engines show below it. */
export type PageHead = {
  title: string;
  /** Absent: the description of the site. */
  description?: string | undefined;
};
export type PageSettings = { seo: SeoSettings; site: SiteSettings };
/** Steps to a page from the home page, for search engines. */
export type Crumb = { name: string; path: string };

/** What social networks show of a page. `url`: root-relative. */
export type PageImage = { url: string; width: number; height: number; alt: string };

/** What a page says of itself in its head, and its content before the app has started. */
export type PageDocument = {
  /** Absent: the title and description of the SEO settings. */
  head?: PageHead;
  /** Path and query. Absent: search engines must not list the page. */
  canonical?: string;
  /** Below the home page, without it. */
  crumbs?: readonly Crumb[];
  /** Whether the page names the feeds of the blog. */
  hasFeeds?: boolean;
  /** More tags of the head. */
  tags?: (settings: PageSettings) => string[];
  ogType?: 'article';
  /** Absent: the image of the SEO settings. */
  image?: PageImage | undefined;
  body?: string;
  /** Whether the page runs WebAssembly with threads, and loads nothing of other sites. */
  isIsolated?: boolean;
};

/** The document of an address, or the path that it has moved to. */
export type FoundPage = { page: PageDocument; movedTo?: undefined } | { movedTo: string; page?: undefined };

/** The pattern of a path. Its parts that begin with a colon are captured. */
export const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);

/** The query of a URL with its question mark, or an empty text. */
export const queryOf = (url: string): string => /\?[^#]*/.exec(url)?.[0] ?? '';

/** The document of an address without a page. */
export const missingPage: PageDocument = { head: { title: notFoundTitle } };

const adminPatterns = Object.values(adminPages).map((page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`));
const titles: Record<string, string | undefined> = pageTitles;
const descriptions: Record<string, string | undefined> = pageDescriptions;

/** Returns the document of a page of the app by its path, or `missingPage`. */
export function findDocument(path: string): PageDocument {
  if (path === sitePaths.home) return { canonical: path };
  const isAdmin = adminPatterns.some((pattern) => pattern.test(path));
  const title = titles[isAdmin ? sitePaths.admin : path];
  if (!title) return missingPage;
  const description = descriptions[path];
  if (!description) return { head: { title } };
  const page = { head: { title, description }, canonical: path, crumbs: [{ name: title, path }] };
  return path === sitePaths.local ? { ...page, isIsolated: true } : page;
}
