import type { ArticleKind, ArticleStatus, RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleMediaField, MediaState, MediaType } from '@uprez/contracts/policy/images/media';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Generated, JSONColumnType } from 'kysely';

type Seo = JSONColumnType<ArticleFields['seo'], string | undefined, string>;

/** An article with the text that is public, or becomes public at `publishAt`. */
export type ArticlesTable = {
  id: string;
  kind: ArticleKind;
  status: Generated<ArticleStatus>;
  title: Generated<string>;
  /** Null until the article is scheduled or published for the first time. */
  slug: string | null;
  excerpt: Generated<string>;
  /** Markdown, and what it was rendered to by which version of the renderer. */
  contentMd: Generated<string>;
  html: string | null;
  rendererVersion: number | null;
  readingMinutes: number | null;
  featured: Generated<boolean>;
  featuredMediaId: string | null;
  /** The order among the articles of its kind, where lists have one. */
  place: Generated<number>;
  seo: Seo;
  publishAt: Date | null;
  publishedAt: Date | null;
  /** When the public text changed last. */
  revisedAt: Date | null;
  authorId: string | null;
  /** Raised by every change, also of the draft. */
  version: Generated<number>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  /** Deleted articles can be restored for some time. */
  deletedAt: Date | null;
};

/** What editors edit. Every article has a draft. */
export type ArticleDraftsTable = {
  articleId: string;
  title: Generated<string>;
  /** Empty: made from the title when the article is published. */
  slug: Generated<string>;
  excerpt: Generated<string>;
  contentMd: Generated<string>;
  categoryIds: Generated<string[]>;
  featured: Generated<boolean>;
  featuredMediaId: string | null;
  seo: Seo;
  /** Whether the draft differs from the text in `articles`. */
  hasChanges: Generated<boolean>;
  /** The tab that saved last. Null after another kind of change. */
  tab: string | null;
  editorId: string | null;
  savedAt: Date | null;
  /** The draft as preview links show it, and the version of the article that it was rendered from. */
  previewVersion: number | null;
  previewHtml: string | null;
  previewMinutes: number | null;
};

export type ArticleRevisionsTable = {
  articleId: string;
  number: number;
  fields: JSONColumnType<ArticleFields>;
  reason: RevisionReason;
  editorId: string | null;
  createdAt: Generated<Date>;
};

/** A published text of a legal article. It never changes. */
export type LegalVersionsTable = {
  articleId: string;
  number: number;
  /** The revision with its fields. */
  revision: number;
  html: string;
  publishedAt: Generated<Date>;
  effectiveAt: Date;
  /** Whether users who accepted an earlier version must accept this one. */
  mustAccept: Generated<boolean>;
  /** Before it applied. Its number isn't used again. */
  withdrawnAt: Date | null;
};

export type CategoriesTable = {
  id: string;
  kind: ArticleKind;
  name: string;
  slug: string;
  description: Generated<string>;
  createdAt: Generated<Date>;
};

/** Former slugs of categories, with the category that had each one last. */
export type CategoryRedirectsTable = {
  kind: ArticleKind;
  slug: string;
  categoryId: string;
};

/** Categories of the text in `articles`. */
export type ArticleCategoriesTable = {
  articleId: string;
  categoryId: string;
};

/** Every slug that was public, with the article that had it last. */
export type SlugRedirectsTable = {
  kind: ArticleKind;
  slug: string;
  articleId: string;
};

export type PreviewLinksTable = {
  tokenHash: Buffer;
  articleId: string;
  expiresAt: Date;
};

/** Files of the media library. Only images have a size. */
export type MediaTable = {
  id: string;
  name: string;
  type: MediaType;
  /** Bytes of the original. */
  size: number;
  width: number | null;
  height: number | null;
  alt: Generated<string>;
  version: Generated<number>;
  /** Of the WebP versions of an image, which workers make. */
  state: Generated<MediaState>;
  /** Raised by every claim of a worker, and by every failed attempt. */
  attempt: Generated<number>;
  failures: Generated<number>;
  /** No worker claims the file before. */
  leaseUntil: Date | null;
  /** Raised by every change that articles show, and the change as of which they show the file. */
  change: Generated<number>;
  shownChange: Generated<number>;
  uploaderId: string | null;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
};

/** The stored objects of a file: the original has no width. */
export type MediaFilesTable = {
  mediaId: string;
  version: number;
  width: number | null;
  /** The extension in URLs. */
  format: string;
  objectId: string;
  /** When the file was replaced. */
  supersededAt: Date | null;
};

/** The articles that use a file, in their drafts or in public. */
export type MediaUsesTable = {
  mediaId: string;
  articleId: string;
  field: ArticleMediaField;
};

/** The files that a version of a legal text refers to. Null version: it only links to the file. */
export type LegalMediaTable = {
  articleId: string;
  number: number;
  mediaId: string;
  version: number | null;
};

/** What the search of the help center reads of an article: its words, and its text without markup. */
export type ArticleSearchTable = {
  articleId: string;
  vector: string;
  body: string;
};

/** Words of help articles, to correct misspelled searches. */
export type SearchWordsTable = {
  word: string;
};

/** How often a text was searched in the help center on a day (UTC), and how often nothing was found. */
export type SearchDaysTable = {
  day: string;
  term: string;
  searches: Generated<number>;
  missed: Generated<number>;
};

/** Whether an article helped its readers, by day (UTC). */
export type ArticleVotesTable = {
  articleId: string;
  day: string;
  yes: Generated<number>;
  no: Generated<number>;
};

export type ContentTables = {
  media: MediaTable;
  mediaFiles: MediaFilesTable;
  mediaUses: MediaUsesTable;
  legalMedia: LegalMediaTable;
  articles: ArticlesTable;
  articleDrafts: ArticleDraftsTable;
  articleRevisions: ArticleRevisionsTable;
  legalVersions: LegalVersionsTable;
  categories: CategoriesTable;
  categoryRedirects: CategoryRedirectsTable;
  articleCategories: ArticleCategoriesTable;
  slugRedirects: SlugRedirectsTable;
  previewLinks: PreviewLinksTable;
  articleSearch: ArticleSearchTable;
  searchWords: SearchWordsTable;
  searchDays: SearchDaysTable;
  articleVotes: ArticleVotesTable;
};
