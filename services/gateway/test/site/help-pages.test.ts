// cspell:ignore metdata
import type { HelpCenter } from '@uprez/contracts/schemas/content/help';
import { makeHelp } from '@uprez/testing/factories/make-article';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { readFacts } from '../support/read-facts.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it creates the help center.
const gateway = fileFixture(async () => {
  const started = await startTestGateway();
  await makeHelp(started.ctx.db);
  return started;
});
const get = async (path: string) => {
  const response = await fetch(gateway.url + path, { headers: { accept: 'text/html' } });
  return { status: response.status, text: await response.text() };
};

describe('the first help center', () => {
  it('has four groups of questions and six popular articles', async () => {
    const { groups, popular } = (await (await fetch(`${gateway.url}/api/help`)).json()) as HelpCenter;
    const names = ['Getting Started', 'API & Integration', 'Billing & Plans', 'Technical Support'];
    expect(groups.map(({ name }) => name)).toEqual(names);
    expect(popular).toHaveLength(6);
    expect(popular).toContainEqual(
      expect.objectContaining({ title: 'Choose an engine', slug: 'choose-an-engine', category: 'Getting Started' }),
    );
    const question = groups.flatMap(({ questions }) => questions).find(({ title }) => /do the plans cost/.test(title));
    expect(question?.title).toBe('How much do the plans cost?');
    expect(question?.html).toMatch(/<td[^>]*>API Pro<\/td>\s*<td[^>]*>\$49/);
  });

  it('has a page with all questions, which search engines understand', async () => {
    const { text } = await get('/help-center');
    expect(text.match(/<h3\b/g)).toHaveLength(22);
    const faq = readFacts(text).find((fact) => fact['@type'] === 'FAQPage');
    expect(faq?.mainEntity).toHaveLength(16);
    expect(faq).toMatchObject({ mainEntity: { 0: { '@type': 'Question', acceptedAnswer: { '@type': 'Answer' } } } });
  });

  it('suggests corrections and links to what is found, on a page that search engines do not list', async () => {
    const { text } = await get('/help-center?search=metdata');
    expect(text).toContain('<meta name="robots" content="noindex" data-page />');
    expect(text).toContain('<a href="/help-center?search=metadata">metadata</a>');
    const link = /<a href="([^"]+)">Is the metadata of my images kept\?<\/a>/.exec(text.replaceAll(/<\/?mark>/g, ''));
    const { text: article } = await get(link?.[1] ?? '');
    expect(article).toContain('<h1>Is the metadata of my images kept?</h1>');
  });
});

it.each([
  ['/about', 'Our mission'],
  ['/careers', 'We have no open positions right now.'],
  ['/privacy-policy', 'under 13'],
  ['/terms-of-service', 'Last updated'],
])('the text of %s is in its page', async (path, part) => {
  const { status, text } = await get(path);
  expect([status, text.slice(text.indexOf('<div id="root">'))]).toEqual([200, expect.stringContaining(part)]);
});

it.each(['/help-center/unknown', '/careers/backend-engineer'])('%s is missing', async (path) => {
  expect((await get(path)).status).toBe(404);
});
