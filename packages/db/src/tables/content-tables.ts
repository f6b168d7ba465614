import type { ArticleKind, ArticleStatus, RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleMediaField, MediaState, MediaType } from '@uprez/contracts/policy/images/media';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Generated, JSONColumnType } from 'kysely';

type Seo = JSONColumnType<ArticleFields['seo'], string | undefined, string>;

/** An article with its public text, or with the text that becomes public at `publishAt`. */
export type ArticlesTable = {
  id: string;
  kind: ArticleKind;
  status: Generated<ArticleStatus>;
  title: Generated<string>;
  /** Null until the article is scheduled or published for the first time. */
  slug: string | null;
  excerpt: Generated<string>;
  /** Markdown source, its HTML, and the version of the renderer that produced the HTML. */
  contentMd: Generated<string>;
  html: string | null;
  rendererVersion: number | null;
  readingMinutes: number | null;
  featured: Generated<boolean>;
  featuredMediaId: string | null;
  /** Position among articles of the same kind, for lists with a fixed order. */
  place: Generated<number>;
  seo: Seo;
  publishAt: Date | null;
  publishedAt: Date | null;
  /** When the public text last changed. */
  revisedAt: Date | null;
  authorId: string | null;
  /** Incremented by every change, including changes to the draft. */
  version: Generated<number>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  /** When the article was deleted. A deleted article can be restored for some time. */
  deletedAt: Date | null;
};

/** The version of an article that editors change. Every article has a draft. */
export type ArticleDraftsTable = {
  articleId: string;
  title: Generated<string>;
  /** If empty, the slug is derived from the title on publication. */
  slug: Generated<string>;
  excerpt: Generated<string>;
  contentMd: Generated<string>;
  categoryIds: Generated<string[]>;
  featured: Generated<boolean>;
  featuredMediaId: string | null;
  seo: Seo;
  /** Whether the draft differs from the text in `articles`. */
  hasChanges: Generated<boolean>;
  /** The editor tab that saved last. Null if the latest change wasn't made by a save. */
  tab: string | null;
  editorId: string | null;
  savedAt: Date | null;
  /**
   * The article version from which the preview was rendered. The preview columns hold the rendered draft for preview
   * links.
   */
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

/** A published version of a legal article. Its text never changes. */
export type LegalVersionsTable = {
  articleId: string;
  number: number;
  /** The revision that contains the fields of this version. */
  revision: number;
  html: string;
  publishedAt: Generated<Date>;
  effectiveAt: Date;
  /** Whether users who accepted an earlier version must accept this one. */
  mustAccept: Generated<boolean>;
  /** When the version was withdrawn before it took effect. Its number isn't reused. */
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

/** Former slugs of categories, each with the category that last had it. */
export type CategoryRedirectsTable = {
  kind: ArticleKind;
  slug: string;
  categoryId: string;
};

/** Categories of the article's version in `articles`. Drafts store their own categories. */
export type ArticleCategoriesTable = {
  articleId: string;
  categoryId: string;
};

/** Every slug that has been public, with the article that last had it. */
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

/** Files of the media library. Only images have a width and a height. */
export type MediaTable = {
  id: string;
  name: string;
  type: MediaType;
  /** Size of the original, in bytes. */
  size: number;
  width: number | null;
  height: number | null;
  alt: Generated<string>;
  version: Generated<number>;
  /** State of an image's WebP versions, which workers create. */
  state: Generated<MediaState>;
  /** `attempt` increments with every claim by a worker, `failures` with every failed attempt. */
  attempt: Generated<number>;
  failures: Generated<number>;
  /** Workers don't claim the file before this time. */
  leaseUntil: Date | null;
  /**
   * `change` increments with every change that affects articles. `shownChange` is the latest change that all articles
   * show.
   */
  change: Generated<number>;
  shownChange: Generated<number>;
  uploaderId: string | null;
  createdAt: Generated<Date>;
  deletedAt: Date | null;
};

/** Stored objects of a file. The original has no width. */
export type MediaFilesTable = {
  mediaId: string;
  version: number;
  width: number | null;
  format: string;
  objectId: string;
  supersededAt: Date | null;
};

/** Articles that use a file, in their drafts or public texts. */
export type MediaUsesTable = {
  mediaId: string;
  articleId: string;
  field: ArticleMediaField;
};

/** Files that a version of a legal text refers to. `version` is null if the text only links to the file. */
export type LegalMediaTable = {
  articleId: string;
  number: number;
  mediaId: string;
  version: number | null;
};

/** Search index of a help article: its words, and its text without markup. */
export type ArticleSearchTable = {
  articleId: string;
  vector: string;
  body: string;
};

/** Words of help articles, to correct misspelled searches. */
export type SearchWordsTable = {
  word: string;
};

/** How often a term was searched in the help center on a day (UTC), and how often nothing was found. */
export type SearchDaysTable = {
  day: string;
  term: string;
  searches: Generated<number>;
  missed: Generated<number>;
};

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
