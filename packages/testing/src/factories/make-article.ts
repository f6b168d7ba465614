import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { insertArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { insertRevision } from '@uprez/db/queries/content/revisions';
import { createFirstHelp } from '@uprez/domain/content/first-articles/create-first-articles';
import { makeUser } from '../make-user.ts';

const seo = { title: '', description: '' };

/** Creates an unpublished post with one revision, as if its author had saved it. */
export async function makeArticle(
  db: Db,
  { title = 'An article', authorId }: { title?: string; authorId?: string } = {},
): Promise<{ id: string }> {
  const editorId = authorId ?? (await makeUser(db)).accountId;
  const id = randomUUID();
  const text = { title, slug: '', excerpt: '', categoryIds: [], featured: false };
  await db.transaction().execute(async (tx) => {
    await insertArticle(tx, { id, kind: 'post', authorId: editorId });
    await updateDraft(tx, id, { ...text, contentMd: 'Text.', editorId, savedAt: new Date() });
    const fields = { ...text, content: 'Text.', seo, featuredMediaId: null };
    await insertRevision(tx, { articleId: id, fields, reason: 'autosave', editorId });
  });
  return { id };
}

/** Creates the help center's articles and the drafts for open positions, as the setup does. */
export const makeHelp = (db: Db): Promise<void> => db.transaction().execute(createFirstHelp);
