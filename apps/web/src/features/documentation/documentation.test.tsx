import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { beforeEach, expect, it } from 'vitest';
import { textsOf } from '../../../test/component/admin-page.ts';
import { fill, makeAccount, openPage, readPath, readTraces, site } from '../../../test/component/open-page.tsx';
import { router } from '../../app/router.tsx';
import { useLanguage } from '../../ui/code/languages.ts';

beforeEach(() => useLanguage.setState({ language: 'curl' }));

// Roles and names of the thousands of elements of a tab would take seconds.
const listTabs = () => [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
const chooseTab = async (user: UserEvent, name: string) => {
  const tab = listTabs().find(({ textContent }) => textContent === name);
  if (!tab) throw new Error(`There is no tab ${name}`);
  await user.click(tab);
};
const expectTab = (name: string) =>
  waitFor(() => expect(textsOf(document.querySelectorAll('[role="tab"][aria-selected="true"]'))).toEqual([name]));

const findElement = (selector: string, matches: (element: HTMLElement) => boolean) =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find(matches);
    if (!found) throw new Error(`No ${selector} matches`);
    return found;
  });
const findSection = (title: string) => findElement('h2', ({ textContent }) => textContent === title);
const findFigure = (name: RegExp) =>
  findElement('figure', (figure) => name.test(figure.getAttribute('aria-label') ?? ''));
const readCode = (figure: Element) => figure.querySelector('code')?.textContent ?? '';
const findCode = async (name: RegExp) => readCode(await findFigure(name));

/** Waits for a part of the page with an ID. */
const findPart = (id: string) =>
  waitFor(() => {
    const part = document.getElementById(id);
    if (!part) throw new Error(`There is no #${id}`);
    return part;
  });

async function search(text: string) {
  const user = await openPage('/documentation?tab=sdks');
  const field = await screen.findByRole('searchbox', { name: 'Search the documentation' });
  await fill(user, field, text);
  return { user, field };
}

it('has four tabs, each with its own URL', async () => {
  const user = await openPage('/documentation');
  await findSection('Your first image');
  expect(textsOf(listTabs())).toEqual(['Getting Started', 'API Reference', 'Examples', 'SDKs']);
  await chooseTab(user, 'Examples');
  await findSection('Retry safely');
  expect(readPath()).toBe('/documentation?tab=examples');
  await router.navigate(-1);
  await findSection('Your first image');
  expect(readPath()).toBe('/documentation');
  await openPage('/documentation?tab=examples');
  await findSection('Retry safely');
  await expectTab('Examples');
  expect(document.title).toContain('Documentation');
});

it('shows the selected language in every example, with the URL of the site', async () => {
  const user = await openPage('/documentation?tab=examples');
  const first = await findFigure(/^Upscale an image/);
  const origin = window.location.origin;
  expect(await findCode(/^Upscale an image, curl/)).toContain(`curl --silent --show-error ${origin}/v1/process`);
  await user.click(within(first).getByRole('button', { name: 'Python' }));
  await findCode(/^Retry safely, Python/);
  const shown = await findCode(/^Upscale an image, Python/);
  expect(shown).toContain(`"${origin}/v1/process?scale=4"`);
  await openPage('/documentation');
  expect(await findCode(/^Upscale an image, Python/)).toBe(shown);
});

it('has the code of each SDK', async () => {
  await openPage('/documentation?tab=sdks');
  for (const name of ['Node\\.js', 'Python', 'PHP', 'Go'])
    expect((await findCode(new RegExp(`^Upscale an image, ${name}$`))).length).toBeGreaterThan(100);
});

it('opens the error that a documentation URL names', async () => {
  const answer = await fetch(`${site.url}/v1/process`, { method: 'POST' });
  const { code, documentation_url } = v1ProblemSchema.parse(await answer.json());
  const { pathname, hash } = new URL(documentation_url);
  expect(hash).toBe(`#${code}`);
  const user = await openPage(pathname + hash);
  const row = await findPart(code);
  within(row).getByText('401');
  await expectTab('API Reference');
  expect(row).toHaveAttribute('aria-current', 'location');
  // Until the page has the URL of the selected tab, its tabs don't react.
  await waitFor(async () => {
    await chooseTab(user, 'Getting Started');
    expect(readPath()).toBe('/documentation');
  });
  await findSection('Your first image');
  await router.navigate(-1);
  within(await findPart(code)).getByText('401');
});

it('starts with the example of the landing page, and polls for large images only', async () => {
  await openPage('/');
  const landing = await findCode(/^Request/);
  expect(landing.trim().split('\n')).toHaveLength(1);
  await openPage('/documentation');
  await findFigure(/^Get the image in one call/);
  const first = document.querySelector('figure:has(code)');
  expect(first && readCode(first)).toBe(landing.replace('$UPREZ_API_KEY', 'YOUR_API_KEY'));
  const large = within(await findPart('large-images'));
  large.getByText(/Poll its/);
  expect(readCode(large.getByRole('figure'))).toContain('status_url');
});

it('finds a sentence of the text, and shows it', async () => {
  const { user } = await search('detect duplicates');
  const result = await screen.findByRole('link', { name: /^Webhooks and events/ });
  await waitFor(() => expect(result).toHaveTextContent('detect duplicates'));
  await user.click(result);
  await findPart('calls-webhooks');
  expect(readPath()).toBe('/documentation?tab=reference');
  expect(router.state.location.hash).toBe('#calls-webhooks');
  await expectTab('API Reference');
});

it('finds a field from any tab', async () => {
  const { user, field } = await search('idem mism');
  await user.click(await screen.findByRole('link', { name: 'idempotency_mismatch Error' }));
  within(await findPart('idempotency_mismatch')).getByText('422');
  await fill(user, field, 'no such word');
  expect(await screen.findAllByText('No results for "no such word"')).toHaveLength(2);
});

it('shows the fields of an endpoint on demand', async () => {
  const user = await openPage('/documentation?tab=reference');
  const call = within(await findPart('v1CreateWebhook'));
  expect(call.queryByText('events')).toBeNull();
  await user.click(call.getByText('Fields'));
  await call.findByText('events', { selector: 'dt *' });
  await findPart('file_never_came');
});

it("shows the preview of the user's key, and never inserts a key into examples", async () => {
  const account = await makeAccount({ tier: 'api_basic' });
  await openPage('/documentation', account);
  const findNotes = (text: RegExp) => screen.findAllByText(text, { selector: 'figcaption' });
  await findNotes(/^Replace YOUR_API_KEY with your API key\./);
  const { key, keyPreview } = (await account.client.createApiKey({ body: { name: 'Shop' } })).data;
  await openPage('/documentation', account);
  await findNotes(new RegExp(`^Replace YOUR_API_KEY with the full value of your key ${keyPreview}`));
  expect(await findCode(/^Upscale an image/)).toContain('Bearer YOUR_API_KEY"');
  expect(readTraces()).not.toContain(key);
  expect(document.documentElement.outerHTML).not.toContain(`Bearer ${keyPreview}`);
});
