import { randomBytes, randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { expect, it } from 'vitest';
import { findRow, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAccount, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** An account with a last name of its own. */
async function makeUser(firstName: string) {
  const account = await makeAccount();
  const lastName = `Lovelace ${randomUUID().slice(0, 8)}`;
  await db.updateTable('users').set({ firstName, lastName }).where('id', '=', account.user.id).execute();
  return { ...account, name: `${firstName} ${lastName}` };
}

it('lists users, and opens one by click and by Enter', async () => {
  const [admin, mary, ada] = [await makeAdmin(), await makeUser('Mary'), await makeUser('<b>Ada</b>')];
  const user = await openPage('/admin', admin);
  await findHeading('Dashboard');
  const sidebar = screen.getByRole('navigation', { name: 'Admin Panel', hidden: true });
  await user.click(within(sidebar).getByRole('link', { name: 'Users', hidden: true }));
  await findHeading('Users');
  expect(textsOf(sidebar.querySelectorAll('[aria-current="page"]'))).toEqual(['Users']);
  await findRow(mary.email);
  await fill(user, screen.getByRole('searchbox', { name: 'Search by name, email, or ID' }), mary.user.id);
  await waitForRows(1);
  const cells = (await findRow(mary.name)).querySelectorAll('td');
  await user.click([...cells].at(-1) as HTMLElement);
  await findHeading(mary.name);
  const other = await openPage(`/admin/users?search=${mary.user.id}`, admin);
  await waitForRows(1);
  await other.keyboard('j{Enter}');
  await findHeading(mary.name);
  const last = await openPage(`/admin?search=${ada.user.id}`, admin);
  await last.click(await screen.findByRole('link', { name: ada.name }));
  await findHeading(ada.name);
});

const plan = {
  engine: 'standard',
  source: { width: 300, height: 200, format: 'png' },
  output: { width: 600, height: 400, format: 'png' },
};

/** Inserts a job without files that failed, or whose result was deleted. */
const insertJob = (accountId: string, filename: string, errorCode: ErrorCode | null = null) =>
  db
    .insertInto('jobs')
    .values({
      ...{ id: randomUUID(), accountId, filename, errorCode, kind: 'image' },
      status: errorCode ? 'failed' : 'expired',
      recipe: JSON.stringify({ ...recipeDefaults, scaleFactor: 2 }),
      plan: JSON.stringify(plan),
      ...{ estimatedSeconds: 0.1, sourceBytes: 1_000, startedAt: new Date(), finishedAt: new Date() },
    })
    .execute();

/** A user with jobs, a key, and a device. */
async function makeBusyUser() {
  const account = await makeUser('Ada');
  const { id } = account.user;
  await insertJob(id, 'cat.png', 'corrupt_image');
  await insertJob(id, 'dog.png');
  const key = { name: 'CI', kind: 'live', preview: 'upz_live_abcd...wxyz', secretHash: randomBytes(32) } as const;
  await db
    .insertInto('apiKeys')
    .values({ id: randomUUID(), accountId: id, ...key, scopes: ['process'] })
    .execute();
  const device = { address: '203.0.113.7', userAgent: 'Firefox/140.0 (X11; Linux)' };
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('sessions')
    .values({ idHash: randomBytes(32), userId: id, expiresAt, ...device })
    .execute();
  return account;
}

it('shows each tab of a user, and stores it in the URL', async () => {
  const [admin, ada] = [await makeAdmin(), await makeBusyUser()];
  const path = `/admin/users/${ada.user.id}`;
  const first = await openPage(path, admin);
  await screen.findByRole('link', { name: /^2: show images, web and API/ });
  await first.click(screen.getByRole('link', { name: '1: show failed images (90 days)' }));
  await waitForRows(1);
  within(await findRow('cat.png')).getByText('corrupt_image');
  const user = await openPage(path, admin);
  await screen.findByRole('tab', { name: 'Overview' });
  const findInPanel = async (text: string) => within(await screen.findByRole('tabpanel')).findAllByText(text);
  const shown: [string, string, () => Promise<unknown>][] = [
    ['jobs', 'Jobs', async () => within(await findRow('dog.png')).findByText('1 credit')],
    ['ledger', 'Ledger', () => findInPanel('Added')],
    ['keys', 'API keys', () => findInPanel('upz_live_abcd...wxyz')],
    ['devices', 'Devices', () => findInPanel('203.0.113.7')],
    ['payments', 'Payments', () => findInPanel("The user hasn't paid a bill.")],
  ];
  for (const [tab, name, waitForContent] of shown) {
    await user.click(screen.getByRole('tab', { name }));
    await waitFor(() => expect(readPath()).toBe(`${path}?tab=${tab}`));
    await waitForContent();
  }
  await user.click(await screen.findByRole('link', { name: 'Open in Payments: transactions' }));
  await findHeading('Transactions');
});

it('shows the own profile', async () => {
  const user = await openPage('/admin/profile', await makeAdmin());
  await findHeading('Profile');
  const permission = await screen.findByText('Change roles');
  expect(permission.closest('li')).toHaveTextContent('Change roles: included');
  await user.click(screen.getByRole('link', { name: 'Open account settings' }));
  await waitFor(() => expect(readPath()).toBe('/account'));
});
