import { randomUUID } from 'node:crypto';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { afterSeconds } from '@uprez/db/times';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { createArticle } from '@uprez/domain/content/articles/create-article';
import { deleteArticle, restoreArticle } from '@uprez/domain/content/articles/delete-article';
import { publishArticle, unpublishArticle } from '@uprez/domain/content/articles/publish-article';
import { saveDraft } from '@uprez/domain/content/articles/save-draft';
import { deleteOldContent, publishDueArticles } from '@uprez/domain/content/content-tasks';
import { findPublicPost } from '@uprez/domain/content/public/public-posts';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
let admin: Administrator;
beforeEach(async () => {
  await ctx.db.deleteFrom('articles').execute();
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'editor' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'content.manage' };
});

const makeFields = (slug: string, title = 'Larger'): ArticleFields => ({
  ...{ title, slug, excerpt: '', content: 'Text.', categoryIds: [], featured: false },
  seo: { title: '', description: '' },
  featuredMediaId: null,
});
const save = async (slug: string) => {
  const { id, version } = await createArticle(ctx, { admin, kind: 'post' });
  const saved = await saveDraft(ctx, { admin, id, fields: makeFields(slug), version, tab: randomUUID() });
  return { id, version: saved.version };
};
/** Schedules a post for a time that is so many seconds from now. */
const schedule = async (slug: string, seconds: number) => {
  const { id, version } = await save(slug);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await publishArticle(ctx, { admin, id, seen: version, publishAt: later });
  await ctx.db
    .updateTable('articles')
    .set({ publishAt: afterSeconds(seconds) })
    .where('id', '=', id)
    .execute();
  return { id, version: scheduled.version };
};
const find = (id: string) => ctx.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a scheduled article', () => {
  it('is published once its time has come, not before, and as of that time', async () => {
    const [due, early] = [await schedule('due', -3 * 86_400), await schedule('early', 5)];
    const { publishAt } = await find(due.id);
    expect(await publishDueArticles(ctx)).toBe(1);
    expect(await find(due.id)).toMatchObject({ status: 'published', publishedAt: publishAt, publishAt: null });
    expect(await find(early.id)).toMatchObject({ status: 'scheduled', publishedAt: null });
    expect(await findPublicPost(ctx, 'due')).toMatchObject({ html: '<p>Text.</p>' });
    expect(await findPublicPost(ctx, 'early')).toBeUndefined();
    expect(await publishDueArticles(ctx)).toBe(0);
  });

  it('stays public when a page from before cancels its schedule', async () => {
    const { id, version } = await schedule('due', -1);
    await publishDueArticles(ctx);
    const late = unpublishArticle(ctx, { admin, id, seen: version });
    await expect(late).rejects.toMatchObject({ code: 'edit_conflict', status: 409, meta: { version: version + 1 } });
    expect(await find(id)).toMatchObject({ status: 'published' });
    expect(await unpublishArticle(ctx, { admin, id, seen: version + 1 })).toMatchObject({ status: 'draft' });
  });

  it('is published by one of several dispatchers', async () => {
    await schedule('first', -1);
    // Rows of one statement, as rendering 250 texts takes long.
    await sql`
      insert into articles (id, kind, status, slug, html, renderer_version, reading_minutes, revised_at, publish_at)
      select gen_random_uuid(), 'post', 'scheduled', 'post-' || n, '', 1, 1, now(), now() - n * interval '1 second'
      from generate_series(1, 250) n`.execute(ctx.db);
    const counts = await Promise.all([1, 2, 3, 4].map(() => publishDueArticles(ctx)));
    const left = await publishDueArticles(ctx);
    expect(counts.reduce((sum, count) => sum + count, left)).toBe(251);
    const rows = await ctx.db.selectFrom('articles').select('id').where('status', '=', 'published').execute();
    expect(rows).toHaveLength(251);
  });

  it('is left to the next dispatcher when one is killed in between', async () => {
    const { id } = await schedule('due', -1);
    const killed = ctx.db.transaction().execute(async (tx) => {
      expect(await publishDueArticles({ db: tx })).toBe(1);
      // Another dispatcher skips the locked row.
      expect(await publishDueArticles(ctx)).toBe(0);
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await publishDueArticles(ctx)).toBe(1);
    expect(await find(id)).toMatchObject({ status: 'published' });
  });

  it('is published with the text that was scheduled, not with later changes of the draft', async () => {
    const { id, version } = await schedule('due', -1);
    const fields = makeFields('renamed', 'Later');
    await saveDraft(ctx, { admin, id, fields, version, tab: randomUUID() });
    await publishDueArticles(ctx);
    expect(await findPublicPost(ctx, 'due')).toMatchObject({ title: 'Larger' });
    expect(await findPublicPost(ctx, 'renamed')).toBeUndefined();
  });

  it('is not published after it was canceled or deleted, nor late when it is restored', async () => {
    const [canceled, deleted] = [await schedule('canceled', -1), await schedule('deleted', -1)];
    await unpublishArticle(ctx, { admin, id: canceled.id, seen: canceled.version });
    await deleteArticle(ctx, { admin, id: deleted.id });
    expect(await publishDueArticles(ctx)).toBe(0);
    expect(await restoreArticle(ctx, { admin, id: deleted.id })).toMatchObject({ status: 'draft', publishAt: null });
    expect(await publishDueArticles(ctx)).toBe(0);
  });

  it('takes the former slug of another one when it becomes public', async () => {
    const { id, version } = await save('old');
    const published = await publishArticle(ctx, { admin, id, seen: version });
    const fields = makeFields('new');
    const saved = await saveDraft(ctx, { admin, id, fields, version: published.version, tab: randomUUID() });
    await publishArticle(ctx, { admin, id, seen: saved.version });
    await schedule('old', -1);
    expect(await findPublicPost(ctx, 'old')).toMatchObject({ slug: 'new' });
    await publishDueArticles(ctx);
    expect(await findPublicPost(ctx, 'old')).toMatchObject({ slug: 'old' });
  });
});

describe('old content', () => {
  it('is deleted: autosaves but one an hour, expired links, and articles that were deleted a month ago', async () => {
    const [{ id }, gone] = [await save('kept'), await save('gone')];
    const ages = [30.2, 30.1, 30, 28, 20, 0.5, 0.4].map((hours) => hours * 3_600);
    await ctx.db.deleteFrom('articleRevisions').where('articleId', '=', id).execute();
    const hour = sql<Date>`date_trunc('hour', now(), 'UTC') + interval '59 minutes'`;
    for (const [index, age] of ages.entries())
      await ctx.db
        .insertInto('articleRevisions')
        .values({
          ...{ articleId: id, number: index + 1, fields: JSON.stringify(makeFields('kept')), editorId: null },
          reason: index === 3 ? 'publish' : 'autosave',
          createdAt: sql<Date>`${hour} - make_interval(secs => ${age})`,
        })
        .execute();
    await deleteArticle(ctx, { admin, id: gone.id });
    await ctx.db
      .updateTable('articles')
      .set({ deletedAt: afterSeconds(-31 * 86_400) })
      .where('id', '=', gone.id)
      .execute();
    await deleteOldContent(ctx);
    const revisions = await ctx.db.selectFrom('articleRevisions').select('number').orderBy('number').execute();
    expect(revisions.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7]);
    const left = await ctx.db.selectFrom('articles').select('id').execute();
    expect(left).toEqual([{ id }]);
  });
});
