// cspell:ignore metdata qzxwvk
import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { HelpCenter } from '@uprez/contracts/schemas/content/help';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { textsOf } from '../../../test/component/admin-page.ts';
import { createArticle } from '../../../test/component/articles.ts';
import { intercept } from '../../../test/component/intercept.ts';
import { db, fill, makeAdmin, openPage, readPath } from '../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const makeName = (text: string) => `${text} ${randomUUID().slice(0, 8)}`;
const createCategory = async (kind: 'help' | 'position') =>
  (await admin.client.adminCreateCategory({ body: { name: makeName('Billing'), kind } })).data;

it('shows questions and popular articles in tabs that the keyboard can change', async () => {
  const category = await createCategory('help');
  const [question, guide] = [makeName('How much do the plans cost?'), makeName('Choose an engine')];
  const content = '| Plan | Price |\n| --- | --- |\n| API Pro | {{plans.api_pro.price}} |';
  const inside = { categoryIds: [category.id], content };
  await createArticle(admin, 'help', { ...inside, title: question });
  const { slug } = await createArticle(admin, 'help', { ...inside, title: guide, featured: true });
  let center: HelpCenter | undefined;
  intercept(/^\/api\/help$/, async (send) => {
    const response = await send();
    center = (await response.clone().json()) as HelpCenter;
    return response;
  });
  const user = await openPage('/');
  const footer = await screen.findByRole('navigation', { name: 'Footer' });
  await user.click(within(footer).getByRole('link', { name: 'Help Center' }));
  await screen.findByRole('heading', { level: 1, name: 'Help Center' });
  await screen.findByText(question);
  const groups = center?.groups.map(({ name }) => name) ?? [];
  expect(groups).toContain(category.name);
  expect(textsOf(screen.getAllByRole('heading', { level: 2 }))).toEqual([...groups, 'Still Need Help?']);
  const summary = screen.getByText(question, { selector: 'details > summary > *' });
  const answer = summary.closest('details') as HTMLElement;
  expect(answer).not.toHaveAttribute('open');
  await user.click(summary);
  expect(answer).toHaveAttribute('open');
  expect(within(answer).getByRole('row', { name: /API Pro/ })).toHaveTextContent('$49');
  screen.getByRole('tab', { name: 'Frequently Asked Questions' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Popular Articles' })).toHaveFocus();
  await waitFor(() => expect(readPath()).toBe('/help-center?tab=popular'));
  const popular = within(await screen.findByRole('list', { name: 'Popular Articles' }));
  expect(popular.getAllByRole('listitem')).toHaveLength(center?.popular.length ?? 0);
  await user.click(popular.getByRole('link', { name: guide }));
  await waitFor(() => expect(readPath()).toBe(`/help-center/${slug}`));
  await screen.findByRole('heading', { level: 1, name: guide });
  expect(document.title).toBe(`${guide} - Uprez`);
  screen.getByText(category.name, { exact: false });
});

it('counts a vote', async () => {
  const { id, slug } = await createArticle(admin, 'help', { title: makeName('Keys'), content: 'Text.' });
  const user = await openPage(`/help-center/${slug}`);
  const form = within(await screen.findByRole('group', { name: 'Did this help?' }));
  await user.click(form.getByRole('button', { name: 'Yes' }));
  await screen.findByText('Thanks for your feedback.');
  expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull();
  const votes = db.selectFrom('articleVotes').select(['yes', 'no']).where('articleId', '=', id);
  expect(await votes.execute()).toEqual([{ yes: 1, no: 0 }]);
});

it('searches, marks matches, and suggests corrections', async () => {
  const title = makeName('Is the metadata of my images kept?');
  const categoryIds = [(await createCategory('help')).id];
  const { slug } = await createArticle(admin, 'help', { title, content: 'Text.', categoryIds });
  const user = await openPage(`/help-center/${slug}`);
  await screen.findByRole('heading', { level: 1, name: title });
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Help Center' }));
  const field = await screen.findByRole('searchbox', { name: 'Search the help center' });
  await fill(user, field, 'metdata');
  await screen.findByText('Did you mean', { exact: false });
  await user.click(screen.getByRole('link', { name: 'metadata?' }));
  await waitFor(() => expect(readPath()).toBe('/help-center?search=metadata'));
  await waitFor(() => expect(field).toHaveValue('metadata'));
  await waitFor(() => expect(screen.queryByText('Did you mean', { exact: false })).toBeNull());
  const found = await screen.findByRole('link', { name: title });
  expect(textsOf(found.querySelectorAll('mark'))).toEqual(['metadata']);
  await fill(user, field, 'qzxwvk');
  expect(await screen.findAllByText('No results')).not.toHaveLength(0);
  await fill(user, field, '');
  await screen.findByText(title, { selector: 'summary *' });
});

it('has careers without positions', async () => {
  intercept(/^\/api\/careers$/, async () => Response.json([]));
  await openPage('/careers');
  await screen.findByText(/^We have no open positions right now\./);
  const main = within(screen.getByRole('main'));
  await main.findByRole('link');
  expect(textsOf(main.getAllByRole('heading'))).toEqual(['Careers']);
  const sentences = textsOf(screen.getByRole('main').querySelectorAll('p'))
    .join(' ')
    .match(/[.](?=\s|$)/g);
  expect(sentences).toHaveLength(3);
});

it('has careers with a position', async () => {
  const title = makeName('Backend Engineer');
  const { slug } = await createArticle(admin, 'position', { title, content: 'Text.' });
  const user = await openPage('/careers');
  await user.click(await screen.findByRole('link', { name: title }));
  await waitFor(() => expect(readPath()).toBe(`/careers/${slug}`));
  const link = await screen.findByRole('link', { name: 'Apply by email' });
  const subject = encodeURIComponent(`Application: ${title}`);
  expect(link.getAttribute('href')).toMatch(new RegExp(`^mailto:.+\\?subject=${subject}$`));
});
