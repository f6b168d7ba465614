import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeAll, expect, it } from 'vitest';
import { chooseOption, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAccount, makeAdmin, openPage, readPath, site } from '../../../../test/component/open-page.tsx';

let admin: SignedIn;
let ada: SignedIn;

beforeAll(async () => {
  [admin, ada] = await Promise.all([makeAdmin(), makeAccount()]);
  await db.updateTable('users').set({ firstName: 'Grace' }).where('id', '=', admin.user.id).execute();
  const named = { firstName: '<b>Ada</b>', lastName: 'Lovelace' };
  await db.updateTable('users').set(named).where('id', '=', ada.user.id).execute();
  const { client } = admin;
  const params = { id: ada.user.id };
  await client.adminSetRole({ params, body: { role: 'support', expected: null, reason: '=hired' } });
  await client.adminSetTier({ params, body: { subscriptionTier: 'api_pro', reason: '<i>gift</i>' } });
  const own = { params: { id: admin.user.id }, body: { role: 'admin', expected: 'owner' } } as const;
  await expect(client.adminSetRole(own)).rejects.toThrow();
  const rejected = db.selectFrom('audits').select('id').where('actorId', '=', admin.user.id);
  await waitFor(async () => expect(await rejected.where('rejected', 'is not', null).execute()).toHaveLength(1));
});

const open = (query: string) => openPage(`/admin/audit?actor=${admin.user.id}${query}`, admin);

it('says who changed what, from where, and what was rejected', async () => {
  await open('');
  await waitForRows(3);
  const role = await findRow('=hired');
  for (const part of ['Change role', 'Grace', `${admin.email}, Owner`, '<b>Ada</b> Lovelace', '127.0.0.1', 'Support'])
    expect(within(role).getByText(part)).toBeVisible();
  expect(role).toHaveTextContent('Role: None');
  // Of the tier, and of the plan set by the administrator.
  expect(within(await findRow('<i>gift</i>')).getAllByText('API Pro')).toHaveLength(2);
  expect(await findRow('Rejected')).toHaveTextContent(
    "You can't make this change to your own account or to the last owner.",
  );
});

it('links to the user, and filters by subject, administrator, outcome, action, and days', async () => {
  const user = await openPage(`/admin/audit?account=${ada.user.id}`, admin);
  const choose = async (row: string, item: string) => {
    await press(user, 'Actions for Grace', await findRow(row));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await waitForRows(2);
  await choose('=hired', 'Show only this subject');
  await press(user, 'Remove filter: Subject: <b>Ada</b> Lovelace');
  await waitForRows(2);
  await choose('=hired', 'Show only this administrator');
  await screen.findByRole('button', { name: 'Remove filter: Administrator: Grace' });
  await open('');
  await waitForRows(3);
  await chooseOption(user, 'Outcome', 'Rejected');
  await waitForRows(1);
  await chooseOption(user, 'Action', 'Settings');
  await screen.findByText('No matches');
  await open('');
  await waitForRows(3);
  await fill(user, screen.getByLabelText('To'), '2020-01-01');
  await screen.findByText('No matches');
  // A later first day removes the last day.
  await fill(user, screen.getByLabelText('From'), '2020-01-02');
  await waitForRows(3);
  expect(readPath()).toContain('from=2020-01-02');
  expect(readPath()).not.toContain('to=');
  await user.click(within(await findRow('=hired')).getByRole('link', { name: '<b>Ada</b> Lovelace' }));
  await waitFor(() => expect(readPath()).toBe(`/admin/users/${ada.user.id}`));
});

it('shows everything about a customer', async () => {
  const user = await open('');
  await press(user, 'Actions for Grace', await findRow('<i>gift</i>'));
  await user.click(await screen.findByRole('menuitem', { name: 'Show everything about this customer' }));
  await waitForRows(2);
  await screen.findByRole('button', { name: 'Remove filter: Customer: <b>Ada</b> Lovelace' });
  expect(readPath()).toContain(`account=${ada.user.id}`);
});

it('exports exactly what is shown', async () => {
  await openPage(`/admin/audit?subject=user:${ada.user.id}&columns=action,reason&sort=created`, admin);
  await waitForRows(2);
  const read = (name: string) => admin.fetch(site.url + screen.getByRole('link', { name }).getAttribute('href'));
  const rows = (await (await read('Export JSON')).json()) as object[];
  expect(rows).toMatchObject([
    { action: 'user.role', description: 'Change role', rejected: null, reason: '=hired' },
    { action: 'user.tier', description: 'Change plan', rejected: null, reason: '<i>gift</i>' },
  ]);
  expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'action', 'description', 'rejected', 'reason']);
  expect(await (await read('Export CSV')).text()).toContain(",user.role,Change role,,'=hired");
});

it('keeps who acted after the account is deleted', async () => {
  const [support, { user: granted }] = [await makeAdmin('support'), await makeAccount()];
  const grant = {
    units: 5,
    meter: 'ai',
    expiresAt: '2100-01-01T00:00:00.000Z',
    reason: `sorry ${randomUUID()}`,
  } as const;
  await support.client.adminGrantUnits({ params: { id: granted.id }, body: grant });
  await db.deleteFrom('users').where('id', '=', support.user.id).execute();
  await openPage(`/admin/audit?search=${encodeURIComponent(grant.reason)}`, admin);
  const row = within(await findRow('Grant credits'));
  row.getByText('Deleted administrator');
  row.getByText(`${support.email[0]}***@***.test, Support`);
});

it('lists changes of settings, of which it shows 3 at first', async () => {
  const careful = await makeAdmin();
  await db
    .insertInto('audits')
    .values({
      ...{ actorId: careful.user.id, role: 'owner', action: 'settings.security', subject: 'settings:security' },
      before: JSON.stringify({ maxLoginAttempts: 5, lockoutDuration: 15, sessionTimeout: 30, minPasswordLength: 8 }),
      after: JSON.stringify({ maxLoginAttempts: 7, lockoutDuration: 20, sessionTimeout: 60, minPasswordLength: 12 }),
    })
    .execute();
  const user = await openPage('/admin', careful);
  await press(user, 'Admin Panel');
  const sidebar = within(await screen.findByRole('navigation', { name: 'Admin Panel' }));
  await user.click(sidebar.getByRole('button', { name: 'Operations' }));
  await user.click(sidebar.getByRole('link', { name: 'Audit' }));
  await screen.findByRole('heading', { level: 1, name: 'Audit log' });
  await fill(user, screen.getByLabelText('Search by person, reason, IP address, or ID'), careful.email);
  await waitForRows(1);
  const settings = within(await findRow('Change security settings'));
  await press(user, 'Show 1 more');
  await waitFor(() => expect(settings.getAllByRole('listitem')).toHaveLength(4));
  await press(user, 'Show fewer');
  await waitFor(() => expect(settings.getAllByRole('listitem')).toHaveLength(3));
});

it('copies the ID of a request, which finds its row', async () => {
  const user = await open('');
  await press(user, 'Actions for Grace', await findRow('=hired'));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy request ID' }));
  await screen.findByText('Request ID copied');
  const search = screen.getByLabelText('Search by person, reason, IP address, or ID');
  await fill(user, search, await navigator.clipboard.readText());
  await waitForRows(1);
  await findRow('=hired');
});
