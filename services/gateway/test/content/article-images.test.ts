import { randomUUID } from 'node:crypto';
import { renderMediaUsers } from '@uprez/domain/content/store/render-media-users';
import { addMedia } from '@uprez/testing/factories/add-media';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { readFacts } from '../support/read-facts.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings, and deletes the first pages.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(async () => {
  const signedIn = await signUpAdmin(gateway);
  await signedIn.client.putSiteSettings({ body: site });
  await signedIn.client.putSeoSettings({ body: seo });
  return signedIn;
});
const db = () => gateway.ctx.db;
beforeEach(async () => {
  await db().deleteFrom('articles').execute();
  await db().deleteFrom('media').execute();
});

const origin = 'https://images.example';
const open = () => openEditor(gateway.url, admin);
const get = async (path: string) => {
  const response = await fetch(gateway.url + path, { headers: { accept: 'text/html' } });
  return { etag: response.headers.get('etag'), text: await response.text() };
};
const usesOf = async (articleId: string) => {
  const query = db().selectFrom('mediaUses').select(['mediaId', 'field']).where('articleId', '=', articleId);
  return (await query.execute()).map(({ mediaId, field }) => `${field} ${mediaId}`).sort();
};
const replace = (id: string, changes: { version?: number; alt?: string; deletedAt?: Date }) =>
  db().updateTable('media').set(changes).where('id', '=', id).execute();

describe('images in a text', () => {
  it('are shown in public, and loaded again after the file was replaced', async () => {
    const { id: mediaId, url } = await addMedia(db(), { alt: 'Boats' });
    const content = `Look:\n\n![](${url})\n\n![Own](${url})`;
    const { id, version } = await open().createPublic({ slug: 'harbor', content });
    const preview = await open().send('adminCreatePreview', { params: { id } });
    const shown = async () =>
      Promise.all(
        [
          '/api/blog/posts/harbor',
          '/blog/harbor',
          '/blog/feed.xml',
          '/blog/atom.xml',
          `/api/previews/${preview.body.url.split('/').at(-1)}`,
        ].map(get),
      );
    const before = await shown();
    for (const { text } of before) expect(text).toContain(`${url}/1/800.webp`);
    expect(before[1]?.text).toContain(
      `srcset="${url}/1/320.webp 320w, ${url}/1/640.webp 640w, ${url}/1/800.webp 800w"`,
    );
    for (const feed of before.slice(2, 4)) {
      expect(feed.text).toContain(`${origin}${url}/1/800.webp`);
      expect(feed.text).not.toContain('srcset');
    }
    await replace(mediaId, { version: 2, alt: 'Ships' });
    await renderMediaUsers(gateway.ctx, mediaId);
    const after = await shown();
    for (const [index, { text, etag }] of after.entries()) {
      expect(text).toContain(`${url}/2/800.webp`);
      expect(text).not.toContain(`${url}/1/`);
      expect(text).toMatch(/Ships.*Own/s);
      if (etag) expect(etag).not.toBe(before[index]?.etag);
    }
    // An editor who has the article open can still save it.
    expect(await open().get(id)).toMatchObject({ version });
  });

  it.each(['draft', 'published'] as const)(
    'must be in the media library when a post is saved as %s',
    async (status) => {
      const [image, document, deleted] = [
        await addMedia(db()),
        await addMedia(db(), { kind: 'document' }),
        await addMedia(db()),
      ];
      await replace(deleted.id, { deletedAt: new Date() });
      const send = (content: string) => open().send('adminCreatePost', { body: { title: 'A', content, status } });
      for (const url of [`/media/${randomUUID()}`, deleted.url])
        expect(await send(`a\n\n![b](${url})`)).toMatchObject({
          status: 422,
          code: 'markup_invalid',
          body: {
            param: 'content',
            detail: expect.stringMatching(/^The media library doesn't have this image/),
            meta: { line: 3 },
          },
        });
      expect(await send(`![b](${document.url})`)).toMatchObject({
        body: { param: 'content', detail: expect.stringMatching(/^Documents/) },
      });
      expect(await db().selectFrom('articles').select('id').execute()).toEqual([]);
      expect(await send(`![b](${image.url}) [c](${document.url})`)).toMatchObject({ status: 201 });
      if (status === 'published') return;
      const created = await open().create();
      const params = { id: created.id };
      const body = {
        fields: makeFields({ content: `![b](${deleted.url})` }),
        version: created.version,
        tab: randomUUID(),
      };
      expect(await open().send('adminSaveDraft', { params, body })).toMatchObject({
        status: 422,
        body: { code: 'markup_invalid', param: 'content' },
      });
      expect(await open().get(created.id)).toMatchObject({ version: created.version });
    },
  );

  it('are used by the article while its draft or its public text has them', async () => {
    const [first, second, featured] = [
      await addMedia(db()),
      await addMedia(db(), { kind: 'document' }),
      await addMedia(db()),
    ];
    const published = await open().createPublic({ content: `![a](${first.url})`, featuredMediaId: featured.id });
    const all = [`content ${first.id}`, `featuredImage ${featured.id}`];
    expect(await usesOf(published.id)).toEqual(all);
    const saved = await open().save(published, makeFields({ content: `[a](${second.url})`, slug: published.slug }));
    expect(await usesOf(published.id)).toEqual([...all, `content ${second.id}`].sort());
    const again = await open().publish(await open().get(saved.id));
    expect(await usesOf(published.id)).toEqual([`content ${second.id}`]);
    const params = { id: again.id };
    await open().send('adminUpdatePost', { params, body: { title: 'A', content: 'b', status: 'draft' } });
    expect(await usesOf(published.id)).toEqual([]);
  });
});

describe('the featured image', () => {
  it('is in lists, in the head, in feeds, and in the sitemap', async () => {
    const { id: mediaId, url } = await addMedia(db(), { alt: '"Boats" & <ships>' });
    const { body: post } = await open().send('adminCreatePost', {
      body: { title: 'Harbor', content: 'Text.', status: 'published', featuredImage: url },
    });
    expect(post).toMatchObject({ featuredImage: url });
    expect((await open().get(post.id)).fields.featuredMediaId).toBe(mediaId);
    const image = { src: `${url}/1/800.webp`, width: 800, height: 400, alt: '"Boats" & <ships>' };
    expect(JSON.parse((await get('/api/blog/posts/harbor')).text)).toMatchObject({ image });
    expect(JSON.parse((await get('/api/blog/posts')).text).posts).toMatchObject([{ image }]);
    const { text } = await get('/blog/harbor');
    for (const tag of [
      `<meta property="og:image" content="${origin}${image.src}" data-page />`,
      '<meta property="og:image:width" content="800" data-page />',
      '<meta property="og:image:height" content="400" data-page />',
      '<meta property="og:image:alt" content="&#34;Boats&#34; &#38; &#60;ships&#62;" data-page />',
      `<meta name="twitter:image" content="${origin}${image.src}" data-page />`,
      `width="800" height="400" alt="&#34;Boats&#34; &#38; &#60;ships&#62;" />`,
    ])
      expect(text).toContain(tag);
    expect(text.match(/property="og:image"/g)).toHaveLength(1);
    expect(readFacts(text)[1]).toMatchObject({
      image: { '@type': 'ImageObject', url: origin + image.src, width: 800, height: 400 },
    });
    expect((await get('/blog')).text).toContain(`<img src="${image.src}"`);
    for (const path of ['/blog/feed.xml', '/blog/atom.xml', '/sitemap.xml'])
      expect((await get(path)).text).toContain(origin + image.src);
    await replace(mediaId, { version: 2 });
    expect((await get('/blog/harbor')).text).toContain(`content="${origin}${url}/2/800.webp"`);
  });

  it('must be an image of the media library', async () => {
    const [image, document, deleted] = [
      await addMedia(db()),
      await addMedia(db(), { kind: 'document' }),
      await addMedia(db()),
    ];
    await replace(deleted.id, { deletedAt: new Date() });
    const created = await open().create();
    for (const id of [document.id, deleted.id, randomUUID()]) {
      const post = { title: 'A', content: 'b', featuredImage: `/media/${id}` };
      expect(await open().send('adminCreatePost', { body: post })).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        body: { param: 'featuredImage' },
      });
      const body = { fields: makeFields({ featuredMediaId: id }), version: created.version, tab: randomUUID() };
      expect(await open().send('adminSaveDraft', { params: { id: created.id }, body })).toMatchObject({
        status: 422,
        body: { param: 'featuredMediaId' },
      });
    }
    // A revision leaves an image out that was deleted since.
    const saved = await open().save(created, makeFields({ featuredMediaId: image.id }));
    const cleared = await open().save(saved, makeFields());
    await replace(image.id, { deletedAt: new Date() });
    const params = { id: created.id, number: '1' };
    const restored = await open().send('adminRestoreRevision', { params, body: { version: cleared.version } });
    expect(restored.body.fields.featuredMediaId).toBeNull();
  });

  it('is in previews, stays in updates that leave it out, and makes a draft differ', async () => {
    const [first, second] = [await addMedia(db()), await addMedia(db())];
    const { body: post } = await open().send('adminCreatePost', {
      body: { title: 'A', content: 'b', status: 'published', featuredImage: first.url },
    });
    const params = { id: post.id };
    const { body: updated } = await open().send('adminUpdatePost', { params, body: { title: 'B', content: 'b' } });
    expect(updated).toMatchObject({ title: 'B', featuredImage: first.url });
    const article = await open().get(post.id);
    await open().save(article, { ...article.fields, featuredMediaId: second.id });
    expect(await open().get(post.id)).toMatchObject({ hasChanges: true });
    const preview = await open().send('adminCreatePreview', { params });
    const { text } = await get(`/api/previews/${preview.body.url.split('/').at(-1)}`);
    expect(JSON.parse(text)).toMatchObject({ image: { src: `${second.url}/1/800.webp` } });
    expect((await get(`/api/blog/posts/${post.slug}`)).text).toContain(first.url);
    const { body: none } = await open().send('adminUpdatePost', {
      params,
      body: { title: 'B', content: 'b', featuredImage: '' },
    });
    expect(none.featuredImage).toBe('');
  });
});
