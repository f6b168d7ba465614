import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { smallPipeline } from '@uprez/testing/make-job';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { db, makeAccount, makeAdmin, openPage, readPath, setRole } from '../../../../test/component/open-page.tsx';

// Charts have no size in happy-dom, of which they warn.
beforeEach(() => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
});

/** Waits for the values of a card: the number, and what is below it. */
const findCard = async (label: string): Promise<HTMLElement> => {
  const name = (await screen.findAllByText(label)).find(({ tagName }) => tagName === 'DT');
  if (!name?.parentElement) throw new Error(`${label} is not a card`);
  return name.parentElement;
};

/** An account with more images than those of other files. */
async function makeTopAccount() {
  const account = await makeAccount();
  const facts = { accountId: account.user.id, kind: 'image', surface: 'api', status: 'expired' } as const;
  const texts = { plan: JSON.stringify(smallPipeline), recipe: JSON.stringify(recipeDefaults), filename: 'photo.png' };
  const numbers = { estimatedSeconds: 1, sourceBytes: 9, startedAt: new Date(), finishedAt: new Date() };
  const jobs = Array.from({ length: 50 }, () => ({ ...facts, ...texts, ...numbers, id: randomUUID() }));
  await db.insertInto('jobs').values(jobs).execute();
  return account;
}

it('leads from a total to its rows', async () => {
  const user = await openPage('/admin/analytics', await makeAdmin());
  await user.click(within(await findCard('Total Users')).getByRole('link'));
  await waitFor(() => expect(readPath()).toBe('/admin/users'));
});

it('keeps the period, the comparison, and the tab in the URL', async () => {
  const admin = await makeAdmin();
  const user = await openPage('/admin/analytics', admin);
  const params = () => new URL(readPath(), 'http://site').searchParams;
  for (const period of ['7d', '90d', '1y']) {
    await user.click(await screen.findByRole('radio', { name: period }));
    await waitFor(() => expect(params().get('period')).toBe(period));
  }
  await user.click(screen.getByRole('radio', { name: 'No comparison' }));
  await waitFor(() => expect(params().get('compare')).toBe('none'));
  await findCard('Total Users');
  await waitFor(() => expect(screen.queryByText(/^Previous period:/)).toBeNull());
  await user.click(screen.getByRole('tab', { name: 'Users' }));
  await waitFor(() => expect(params().get('tab')).toBe('users'));
  const other = await openPage(readPath(), admin);
  expect((await findCard('New Users')).querySelector('dd')?.textContent).toMatch(/^\d+$/);
  expect(screen.getByRole('radio', { name: '1y' })).toBeChecked();
  expect(screen.queryByText(/^Previous period:/)).toBeNull();
  await screen.findAllByText('Cohorts');
  await other.click(screen.getByRole('radio', { name: 'Paying' }));
  await screen.findByText(/that pay, by months/);
});

it('hides amounts and accounts from editors, and masks email addresses for viewers', async () => {
  const [admin, ada] = [await makeAdmin('editor'), await makeTopAccount()];
  await openPage('/admin/analytics?tab=revenue', admin);
  const total = await findCard('Total Users');
  expect(screen.queryByText('Monthly Revenue')).toBeNull();
  expect(screen.queryByRole('tab', { name: 'Revenue' })).toBeNull();
  expect(within(total).queryByRole('link')).toBeNull();
  await openPage('/admin/analytics/usage', admin);
  await findCard('API Images');
  expect(screen.queryByText('Top accounts')).toBeNull();
  await setRole(admin, 'viewer');
  await openPage('/admin/analytics/usage', admin);
  const links = () => [...document.querySelectorAll<HTMLElement>(`a[href="/admin/users/${ada.user.id}"]`)];
  await waitFor(() => expect(links()).toHaveLength(1));
  expect(links()[0]).toHaveTextContent(`${ada.email[0]}***@***.test`);
  expect(document.body).not.toHaveTextContent(ada.email);
});
