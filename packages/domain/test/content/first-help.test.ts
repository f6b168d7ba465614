// cspell:ignore metdata qzxwvk QZXWVK receve webh webho webhoks zebar
import { currentPlans, retention, tiers } from '@uprez/contracts/policy/plans/plans';
import { formatCount, formatPrice } from '@uprez/contracts/texts/format';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { createFirstHelp } from '@uprez/domain/content/first-articles/create-first-articles';
import { firstHelp, firstPages, firstPositions } from '@uprez/domain/content/first-articles/first-articles';
import { findHelpArticle, getHelpCenter } from '@uprez/domain/content/help/get-help-center';
import { findHelp } from '@uprez/domain/content/help/search-help';
import { findPosition, findSitePage, listPositions } from '@uprez/domain/content/pages/find-site-page';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
  await ctx.db.transaction().execute(createFirstHelp);
});
afterAll(() => ctx.close());

const articles = firstHelp.flatMap((group) => group.articles);
const htmlOf = async (slug: string) => (await findHelpArticle(ctx, slug))?.html ?? '';
const pageOf = (slug: string) => findSitePage(ctx, slug);

it('lists four questions in each of four groups, and six popular articles, in order', async () => {
  const { groups, popular } = await getHelpCenter(ctx);
  expect(groups.map(({ name, questions }) => [name, questions.length])).toEqual([
    ['Getting Started', 4],
    ['API & Integration', 4],
    ['Billing & Plans', 4],
    ['Technical Support', 4],
  ]);
  const slugs = (featured: boolean) => articles.filter((one) => (one.featured ?? false) === featured);
  expect(groups.flatMap(({ questions }) => questions.map(({ slug }) => slug))).toEqual(
    slugs(false).map(({ slug }) => slug),
  );
  expect(popular.map(({ slug }) => slug)).toEqual(slugs(true).map(({ slug }) => slug));
  for (const { excerpt, category, readingMinutes } of popular) {
    expect(excerpt && category).toBeTruthy();
    expect(readingMinutes).toBeGreaterThan(0);
  }
});

it.each(articles)('renders $slug without placeholders, with links to pages only', async ({ slug }) => {
  const html = await htmlOf(slug);
  expect(html).toMatch(/<p>|<table>/);
  expect(html).not.toContain('{{');
  const known: string[] = Object.values(sitePaths);
  for (const [, path] of html.matchAll(/href="(\/[^"#?]*)/g)) expect(known).toContain(path);
});

describe('answers', () => {
  it('have the prices and quotas of all plans', async () => {
    const html = await htmlOf('how-much-do-the-plans-cost');
    for (const tier of tiers) {
      const { name, price, included } = currentPlans[tier];
      const [count = 0] = Object.values(included);
      expect(html).toMatch(
        new RegExp(`<td>${name}</td>\\s*<td>\\${formatPrice(price)}</td>\\s*<td>${formatCount(count)}`),
      );
    }
  });

  it('have the limits of plans and the retention', async () => {
    const large = await htmlOf('how-large-can-my-images-be');
    for (const text of ['50 MB', '100 MB', '4x', '8x', '128x', '100 megapixels']) expect(large).toContain(text);
    const stored = await htmlOf('how-long-are-my-images-stored');
    expect(stored).toContain(`${retention.resultMinutes / 60} hours`);
    expect(stored).toContain(`${retention.failedSourceMinutes} minutes`);
    expect(stored).toContain(`${retention.usageRowDays} days`);
    expect(await htmlOf('what-is-included-in-the-free-plan')).toContain('10 AI images and 100 standard images');
    expect(await htmlOf('can-i-cancel-or-get-a-refund')).toContain('within 30 days');
  });
});

describe('the search', () => {
  const slugsOf = async (text: string) => (await findHelp(ctx, text)).results.map(({ slug }) => slug);

  it('finds words in other forms, the title first, and marks them', async () => {
    const { results, suggestion } = await findHelp(ctx, 'refunds');
    expect(suggestion).toBeNull();
    expect(results[0]).toMatchObject({ slug: 'can-i-cancel-or-get-a-refund', category: 'Billing & Plans' });
    expect(results[0]?.title.filter(({ isMatch }) => isMatch)).toEqual([{ text: 'refund', isMatch: true }]);
    expect(results[0]?.excerpt.some(({ isMatch }) => isMatch)).toBe(true);
  });

  it('finds the start of the last word', async () => {
    expect(await slugsOf('webho')).toContain('do-you-support-webhooks');
    expect(await slugsOf('receive webh')).toContain('receive-webhooks');
  });

  it.each([
    ['webhoks', 'webhooks', 'do-you-support-webhooks'],
    ['receve webhooks', 'receive webhooks', 'receive-webhooks'],
    ['metdata', 'metadata', 'is-the-metadata-of-my-images-kept'],
  ])('corrects %s to %s', async (typed, suggestion, slug) => {
    const found = await findHelp(ctx, typed);
    expect(found.suggestion).toBe(suggestion);
    expect(found.results.map((one) => one.slug)).toContain(slug);
  });

  it.each([
    ['invoice', 'how-much-do-the-plans-cost'],
    ['invoices pdf', 'how-much-do-the-plans-cost'],
    ['GPS', 'is-the-metadata-of-my-images-kept'],
    ['delete account', 'how-long-are-my-images-stored'],
    ['deleting my account please zebra', 'how-long-are-my-images-stored'],
    ['remove the location from photos', 'is-the-metadata-of-my-images-kept'],
  ])('finds first for "%s" what has most of its words, in any form', async (text, slug) => {
    expect((await findHelp(ctx, text)).results[0]?.slug).toBe(slug);
  });

  it('finds nothing for an excluded word with others that are nowhere together', async () => {
    expect((await findHelp(ctx, 'qzxwvk refund -webhook')).results).toEqual([]);
  });

  it('finds nothing for words that no article has, or that all have', async () => {
    for (const text of ['qzxwvk', 'the', '"refund metadata zebra"'])
      expect(await findHelp(ctx, text)).toEqual({ results: [], suggestion: null });
  });
});

it('has drafts of positions, which are not public', async () => {
  expect(firstPositions).toHaveLength(5);
  expect(await listPositions(ctx)).toEqual([]);
  expect(await findPosition(ctx, 'backend-engineer')).toBeUndefined();
});

it.each(firstPages)('has the page $slug, without placeholders', async ({ slug, title, kind }) => {
  const page = await pageOf(slug);
  expect(page).toMatchObject({ title, slug, isLegal: kind === 'legal' });
  expect(page?.html).not.toContain('{{');
});

it('states the retention and the least age in the legal pages', async () => {
  const [privacy, terms] = [await pageOf('privacy-policy'), await pageOf('terms-of-service')];
  for (const text of ['24 hours', '90 days', 'under 13', '365 days', '30 days']) expect(privacy?.html).toContain(text);
  expect(terms?.html).toContain('at least 13 years old');
});
