import type { Tx } from '@uprez/db/database';
import { insertCategory } from '@uprez/db/queries/content/categories';
import { uuidv7 } from 'uuidv7';
import { createFirstArticle } from './create-first-article.ts';
import { firstCategories, firstPosts } from './first-posts.ts';

/** Creates the categories and posts of a new blog, once per installation. Editors may change and delete them. */
export async function createFirstPosts(tx: Tx): Promise<void> {
  const ids = new Map<string, string>();
  for (const category of firstCategories) {
    const { id, slug } = await insertCategory(tx, { ...category, id: uuidv7(), kind: 'post' });
    ids.set(slug, id);
  }
  // The last one is the oldest: lists of the same moment are ordered by ID.
  for (const { category, ...post } of firstPosts.toReversed())
    await createFirstArticle(tx, { ...post, kind: 'post', categoryIds: [ids.get(category) ?? ''] });
}
