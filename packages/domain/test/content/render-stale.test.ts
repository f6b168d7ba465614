import { renderStaleArticles } from '@uprez/domain/content/content-tasks';
import { findHelp } from '@uprez/domain/content/help/search-help';
import { makeHelp } from '@uprez/testing/factories/make-article';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestContext } from '@uprez/testing/open-test-context';
import { beforeAll, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
beforeAll(() => makeHelp(ctx.db));
const slug = 'how-much-do-the-plans-cost';
const find = () =>
  ctx.db
    .selectFrom('articles')
    .selectAll()
    .where('kind', '=', 'help')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
/** Makes articles look as if another release had rendered them. */
const age = (values: { html: string; contentMd?: string }) =>
  ctx.db
    .updateTable('articles')
    .set({ ...values, rendererVersion: 7 })
    .where('slug', 'in', [slug, 'terms-of-service'])
    .execute();

it('renders articles of another release again, and nothing else', async () => {
  const before = await find();
  expect(before.html).toContain('$');
  expect(await renderStaleArticles(ctx)).toBe(0);
  await age({ html: '<p>Pro costs $1.</p>' });
  await ctx.db.updateTable('articleSearch').set({ body: '' }).execute();
  expect(await renderStaleArticles(ctx)).toBe(1);
  // Its version and its times stay, so that open editors can save.
  expect(await find()).toEqual(before);
  const texts = await ctx.db.selectFrom('articleSearch').select('body').where('articleId', '=', before.id).execute();
  expect(texts).toEqual([{ body: expect.stringContaining('$') }]);
  expect((await findHelp(ctx, 'plans cost')).results[0]?.slug).toBe(slug);
  expect(await renderStaleArticles(ctx)).toBe(0);
});

it('leaves legal texts as they were published', async () => {
  await age({ html: '<p>As published.</p>' });
  await renderStaleArticles(ctx);
  const terms = ctx.db.selectFrom('articles').select('html').where('slug', '=', 'terms-of-service');
  expect(await terms.executeTakeFirst()).toEqual({ html: '<p>As published.</p>' });
});

it('keeps the HTML of a text that cannot be rendered anymore, and renders the others', async () => {
  await age({ html: '<p>Kept.</p>', contentMd: '{{plans.gone.price}}' });
  await ctx.db.updateTable('articles').set({ rendererVersion: 7 }).where('slug', '=', 'choose-an-engine').execute();
  expect(await renderStaleArticles(ctx)).toBe(1);
  expect((await find()).html).toBe('<p>Kept.</p>');
});
