import { readFile } from 'node:fs/promises';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Tx } from '@uprez/db/database';
import { insertArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { insertCategory } from '@uprez/db/queries/content/categories';
import { now } from '@uprez/db/times';
import { renderMarkdown } from '@uprez/markup/render';
import { uuidv7 } from 'uuidv7';
import { addLegalVersion } from '../store/legal-version.ts';
import { storePublicText } from '../store/publish-or-schedule.ts';
import { articleColumnsOf } from '../text/article-fields.ts';
import { readingMinutesOf } from '../text/plain-text.ts';
import {
  type FirstArticle,
  firstCategories,
  firstHelp,
  firstPages,
  firstPositions,
  firstPosts,
} from './first-articles.ts';

const root = new URL('../../..', import.meta.url);
const folders: Record<ArticleKind, string> = {
  post: 'posts',
  help: 'help',
  legal: 'pages',
  page: 'pages',
  position: 'positions',
};

type Creation = FirstArticle & { kind: ArticleKind; categoryIds?: string[]; isDraft?: boolean };

async function createFirstArticle(
  tx: Tx,
  { kind, slug, title, excerpt, featured = false, categoryIds = [], isDraft = false }: Creation,
): Promise<void> {
  const content = await readFile(new URL(`${folders[kind]}/${slug}.md`, root), 'utf8');
  const seo = { title: '', description: '' };
  const fields = { slug, title, excerpt, content, categoryIds, featured, seo, featuredMediaId: null };
  const { article } = await insertArticle(tx, { id: uuidv7(), kind, authorId: null });
  await updateDraft(tx, article.id, articleColumnsOf(fields));
  if (isDraft) return;
  const { html, words } = renderMarkdown(content);
  const rendered = { html, readingMinutes: readingMinutesOf(words) };
  const columns = { status: 'published', publishAt: null, publishedAt: now } as const;
  const revision = await storePublicText(tx, { article, fields, rendered, columns, reason: 'publish', editorId: null });
  if (kind === 'legal') await addLegalVersion(tx, { article, revision, rendered });
}

/** Creates the blog's initial categories and posts, once per installation. Editors can change and delete them. */
export async function createFirstPosts(tx: Tx): Promise<void> {
  const ids = new Map<string, string>();
  for (const category of firstCategories) {
    const { id, slug } = await insertCategory(tx, { ...category, id: uuidv7(), kind: 'post' });
    ids.set(slug, id);
  }
  // Created oldest first, because lists order posts with the same time by ID.
  for (const { category, ...post } of firstPosts.toReversed())
    await createFirstArticle(tx, { ...post, kind: 'post', categoryIds: [ids.get(category) ?? ''] });
}

/** Creates the pages at fixed URLs, once per installation. Editors can change them. */
export async function createFirstPages(tx: Tx): Promise<void> {
  for (const page of firstPages) await createFirstArticle(tx, page);
}

/**
 * Creates the help center's articles and draft job postings, once per installation. Job postings aren't public until an
 * administrator publishes them.
 */
export async function createFirstHelp(tx: Tx): Promise<void> {
  const kinds = [
    { kind: 'help', groups: firstHelp, isDraft: false },
    { kind: 'position', groups: firstPositions, isDraft: true },
  ] as const;
  for (const { kind, groups, isDraft } of kinds)
    for (const { slug, name, articles } of groups) {
      const { id } = await insertCategory(tx, { id: uuidv7(), kind, slug, name });
      for (const article of articles) await createFirstArticle(tx, { ...article, kind, isDraft, categoryIds: [id] });
    }
}
