/** What the store of articles holds: posts of the blog, help, legal texts, other pages, and open positions. */
export const articleKinds = ['post', 'help', 'legal', 'page', 'position'] as const;
export type ArticleKind = (typeof articleKinds)[number];

export const articleStatuses = ['draft', 'scheduled', 'published'] as const;
export type ArticleStatus = (typeof articleStatuses)[number];
/** Filters of the list. `deleted`: articles that can be restored. All other lists leave them out. */
export const articleFilters = [...articleStatuses, 'deleted'] as const;
export type ArticleStatusFilter = (typeof articleFilters)[number];

/** Sort orders of articles. A minus means descending. The first one is the default. */
export const articleSorts = ['-updated', 'updated', '-published', 'published', 'title', '-title'] as const;
export type ArticleSort = (typeof articleSorts)[number];

/** Why a revision was kept. */
export const revisionReasons = ['autosave', 'publish', 'schedule', 'unpublish', 'restore', 'api'] as const;
export type RevisionReason = (typeof revisionReasons)[number];

export const articleLimits = {
  titleLength: 200,
  slugLength: 100,
  excerptLength: 500,
  /** Largest Markdown text, bytes. */
  contentBytes: 100_000,
  /** Largest request with such a text, bytes: JSON escapes characters. */
  bodyBytes: 400 * 1024,
  /** Deepest nesting of lists, quotations, and tables. */
  nesting: 30,
  categories: 10,
  categoryNameLength: 60,
  categoryDescriptionLength: 300,
  seoTitleLength: 120,
  seoDescriptionLength: 300,
  /** How long a deleted article can be restored, days. */
  deletedDays: 30,
  previewDays: 7,
  postsPerPage: 12,
  /** The latest posts in feeds. */
  feedPosts: 20,
  /** Posts in the sitemap. A sitemap may have 50,000 URLs (sitemaps.org), also of other pages. */
  sitemapPosts: 49_000,
  /** Reading speed, words per minute. */
  wordsPerMinute: 225,
} as const;
