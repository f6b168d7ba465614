import { readFile } from 'node:fs/promises';
import type { Tx } from '@uprez/db/database';
import { insertArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { insertCategory } from '@uprez/db/queries/content/categories';
import { now } from '@uprez/db/times';
import { renderMarkdown } from '@uprez/markup/render';
import { uuidv7 } from 'uuidv7';
import { storePublic } from '../store/put-public.ts';
import { columnsOf } from '../text/article-fields.ts';
import { readingMinutesOf } from '../text/reading-time.ts';
import { type FirstPost, firstCategories, firstPosts } from './first-posts.ts';

const folder = new URL('../../../posts/', import.meta.url);

/** Creates the categories and posts of a new blog, once per installation. Editors may change and delete them. */
export async function createFirstPosts(tx: Tx): Promise<void> {
  const ids = new Map<string, string>();
  for (const category of firstCategories) {
    const { id, slug } = await insertCategory(tx, { ...category, id: uuidv7(), kind: 'post' });
    ids.set(slug, id);
  }
  // The last one is the oldest: lists of the same moment are ordered by ID.
  for (const post of firstPosts.toReversed()) await createPost(tx, post, [ids.get(post.category) ?? '']);
}

async function createPost(
  tx: Tx,
  { slug, title, excerpt, featured = false }: FirstPost,
  categoryIds: string[],
): Promise<void> {
  const content = await readFile(new URL(`${slug}.md`, folder), 'utf8');
  const fields = { slug, title, excerpt, content, categoryIds, featured, seo: { title: '', description: '' } };
  const { article } = await insertArticle(tx, { id: uuidv7(), kind: 'post', authorId: null });
  await updateDraft(tx, article.id, columnsOf(fields));
  const { html, words } = renderMarkdown(content);
  const rendered = { html, readingMinutes: readingMinutesOf(words) };
  const columns = { status: 'published', publishAt: null, publishedAt: now } as const;
  await storePublic(tx, { article, fields, rendered, columns, reason: 'publish', editorId: null });
}
