import { maskEmail } from '@uprez/contracts/texts/mask-email';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it lists all articles.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));

let newsId = '';
beforeAll(async () => {
  const editor = openEditor(gateway.url, admin);
  newsId = (await admin.client.adminCreateCategory({ body: { name: 'News' } })).data.id;
  await editor.createPublic({ title: 'Apples' });
  const scheduled = await editor.save(await editor.create(), makeFields({ title: 'berries', categoryIds: [newsId] }));
  await editor.publish(scheduled, '2100-01-01T00:00:00Z');
  await editor.save(await editor.create(), makeFields({ title: 'Cherries' }));
});

const get = async (query = '', { fetch: by } = admin) => {
  const response = await by(`${gateway.url}/api/admin/articles${query}`);
  const rows = response.ok ? ((await response.json()) as { title: string; author: { email: string } }[]) : [];
  return { response, rows, titles: rows.map(({ title }) => title) };
};

describe('the list of articles', () => {
  it('filters and searches drafts', async () => {
    expect((await get('?status=scheduled')).titles).toEqual(['berries']);
    expect((await get(`?category=${newsId}`)).titles).toEqual(['berries']);
    expect((await get('?search=APPLES')).titles).toEqual(['Apples']);
    expect((await get('?search=%25')).titles).toEqual([]);
    expect((await get('?kind=help')).titles).toEqual([]);
  });

  it.each([
    ['-updated', ['Cherries', 'berries', 'Apples']],
    ['updated', ['Apples', 'berries', 'Cherries']],
    ['-published', ['berries', 'Apples', 'Cherries']],
    ['published', ['Cherries', 'Apples', 'berries']],
    ['title', ['Apples', 'berries', 'Cherries']],
    ['-title', ['Cherries', 'berries', 'Apples']],
  ])('is sorted by %s, page by page', async (sort, sorted) => {
    const seen: string[] = [];
    for (let query: string | undefined = `?sort=${sort}&limit=1`; query; ) {
      const { response, titles } = await get(query);
      seen.push(...titles);
      query = /<[^>]+(\?[^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(sorted);
  });

  it('is read by viewers without email addresses, not by support, and changed by neither', async () => {
    const { rows } = await get('', viewer);
    expect(rows[0]?.author.email).toBe(maskEmail(admin.email));
    expect((await get('', support)).response.headers.get('x-error-code')).toBe('permission_missing');
    for (const by of [viewer, support]) {
      const created = await openEditor(gateway.url, by).send('adminCreateArticle', { body: { kind: 'post' } });
      expect(created).toMatchObject({ status: 403, code: 'permission_missing' });
    }
  });
});
