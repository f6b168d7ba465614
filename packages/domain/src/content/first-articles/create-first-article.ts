import { readFile } from 'node:fs/promises';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Tx } from '@uprez/db/database';
import { insertArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { now } from '@uprez/db/times';
import { renderMarkdown } from '@uprez/markup/render';
import { uuidv7 } from 'uuidv7';
import { addLegalVersion } from '../store/legal-version.ts';
import { storePublic } from '../store/put-public.ts';
import { articleColumnsOf } from '../text/article-fields.ts';
import { readingMinutesOf } from '../text/plain-text.ts';

/** An article that an installation begins with. Its text is in a folder of this package, under its slug. */
export type FirstArticle = { slug: string; title: string; excerpt: string; featured?: boolean };

const root = new URL('../../../', import.meta.url);
const folders: Record<ArticleKind, string> = {
  post: 'posts',
  help: 'help',
  legal: 'pages',
  page: 'pages',
  position: 'positions',
};

type Creation = FirstArticle & { kind: ArticleKind; categoryIds?: string[]; isDraft?: boolean };

/** Creates an article without an author, and publishes it unless it is a draft. */
export async function createFirstArticle(
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
  const revision = await storePublic(tx, { article, fields, rendered, columns, reason: 'publish', editorId: null });
  if (kind === 'legal') await addLegalVersion(tx, { article, revision, rendered });
}
