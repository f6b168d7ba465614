import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { makeUser } from '@uprez/testing/make-user';
import { beforeAll, expect, it } from 'vitest';
import { chooseOption, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAccount, makeAdmin, openPage, readPath, site } from '../../../../test/component/open-page.tsx';

const logs = '/admin/security/logs';
const day = new Date().toISOString().slice(0, 10);
/** Without leading zeros, which the database removes. */
const makeAddress = () => `2001:db8::a${randomUUID().slice(0, 3)}:b${randomUUID().slice(0, 3)}`;

/** Inserts what a rule found about an IP address. */
async function makeAnomaly(values: { foundAt?: Date; acknowledgedAt?: Date } = {}): Promise<string> {
  const address = makeAddress();
  const found = { rule: 'failures', day, count: 20, userId: null, subject: `address:${address}` } as const;
  const evidence = JSON.stringify({ address });
  await db
    .insertInto('anomalies')
    .values({ ...found, evidence, ...values })
    .execute();
  return address;
}

const acknowledge = (address: string) => ({ name: new RegExp(`^Acknowledge: .*${address}`) });

async function openDialog(address: string) {
  const admin = await makeAdmin();
  const user = await openPage(logs, admin);
  await press(user, acknowledge(address).name);
  const dialog = await screen.findByRole('dialog', { name: 'Acknowledge unusual activity' });
  return { admin, user, dialog, note: within(dialog).getByLabelText('Note') };
}

// Other files insert none.
beforeAll(async () => {
  await db.deleteFrom('anomalies').execute();
});

it('acknowledges an anomaly with a note', async () => {
  const [address] = [await makeAnomaly(), await makeAnomaly()];
  const { admin, user, dialog, note } = await openDialog(address);
  await fill(user, note, ' ');
  await press(user, 'Acknowledge', dialog);
  await within(dialog).findByText('Enter a note.');
  await fill(user, note, 'A <b>load test</b>.');
  await press(user, 'Acknowledge', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Acknowledge: / })).toHaveLength(1));
  const card = within(screen.getByRole('region', { name: 'Unusual activity' }));
  await user.click(card.getByRole('radio', { name: 'Acknowledged' }));
  await card.findByText('A <b>load test</b>.');
  card.getByText(new RegExp(`^Acknowledged by ${admin.email} on`));
  card.getByText('1 of 1');
  expect(card.queryByRole('button', { name: /^Acknowledge: / })).toBeNull();
});

it('loads more acknowledged anomalies', async () => {
  const { total } = await db
    .selectFrom('anomalies')
    .where('acknowledgedAt', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const count = Number(total);
  let oldest = '';
  for (let age = 1; age <= 50; age += 1)
    oldest = await makeAnomaly({ foundAt: new Date(Date.now() - age * 60_000), acknowledgedAt: new Date() });
  const user = await openPage(logs, await makeAdmin());
  const card = within(await screen.findByRole('region', { name: 'Unusual activity' }));
  await user.click(card.getByRole('radio', { name: 'Acknowledged' }));
  await card.findByText(`50 of ${count + 50}`);
  await user.click(card.getByRole('button', { name: 'Load more' }));
  await card.findByText(`${count + 50} of ${count + 50}`);
  card.getByText(new RegExp(oldest));
});

it('keeps the note when another administrator was faster', async () => {
  const address = await makeAnomaly();
  const { user, dialog, note } = await openDialog(address);
  await db.updateTable('anomalies').set({ acknowledgedAt: new Date() }).execute();
  await fill(user, note, 'My note');
  await press(user, 'Acknowledge', dialog);
  await within(dialog).findByText(/Another administrator acknowledged this already\./);
  expect(note).toHaveValue('My note');
  await press(user, 'Cancel', dialog);
  await screen.findByText('Nothing unusual to review.');
});

it('filters by event, status, account, and IP address, and exports what is shown', async () => {
  const [{ user: account, email }, address, rejecting] = [await makeAccount(), makeAddress(), makeAddress()];
  const failure = { kind: 'sign_in_failed', status: 401, userId: account.id, address } as const;
  for (const age of [60, 61]) await makeAccessEvent(db, age, failure);
  await makeAccessEvent(db, 62, { kind: 'sign_in', userId: account.id, address });
  await makeAccessEvent(db, 90, { kind: 'rejected', status: 429, count: 12, address: rejecting, country: 'DE' });
  const admin = await makeAdmin();
  const user = await openPage(`${logs}?search=${address}`, admin);
  await waitForRows(3);
  await chooseOption(user, 'Event', 'Failed sign-in');
  await waitForRows(2);
  const row = await findRow('Failed sign-in');
  expect(within(row).getByRole('link', { name: email })).toHaveAttribute('href', `/admin/users/${account.id}`);
  await user.click(row);
  await screen.findByRole('button', { name: `Remove filter: Account: ${email}` });
  const other = await openPage(`${logs}?status=4xx&search=${rejecting}`, admin);
  await waitForRows(1);
  within(await findRow('12 requests')).getByText('429');
  const link = screen.getByRole('link', { name: 'Export JSON' }).getAttribute('href');
  expect(await (await admin.fetch(site.url + link)).json()).toMatchObject([
    { kind: 'rejected', count: 12, country: 'DE', status: 429 },
  ]);
  await other.click(screen.getByRole('link', { name: `Show events from ${rejecting}` }));
  await press(other, `Remove filter: IP address: ${rejecting}`);
  await waitFor(() => expect(readPath()).toBe(logs));
});

it('names an API key that was deleted', async () => {
  const [id, { accountId }] = [randomUUID(), await makeUser(db)];
  const facts = { accountId, name: 'Old <b>key</b>', kind: 'live', preview: 'upz_live_a...b' } as const;
  await db
    .insertInto('apiKeys')
    .values({ ...facts, scopes: [], id, secretHash: null, deletedAt: new Date() })
    .execute();
  await makeAccessEvent(db, 30, { kind: 'key_new_network', keyId: id });
  await openPage(`${logs}?key=${id}`, await makeAdmin());
  await waitForRows(1);
  await findRow('API key "Old <b>key</b>" (deleted)');
});

it('records a failed sign-in', async () => {
  const { user, email, password, fetch } = await makeAccount();
  await fetch(`${site.url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password: `not ${password}` }),
    headers: { origin: site.url, 'content-type': 'application/json' },
  });
  const events = db.selectFrom('accessEvents').select('id').where('userId', '=', user.id);
  await waitFor(async () => expect(await events.where('kind', '=', 'sign_in_failed').execute()).toHaveLength(1));
  await openPage(`${logs}?kind=sign_in_failed&user=${user.id}`, await makeAdmin());
  await waitForRows(1);
  within(await findRow('Failed sign-in')).getByText('POST /api/login');
});

it('is not for roles without the permission', async () => {
  await openPage(logs, await makeAdmin('viewer'));
  await screen.findByRole('heading', { name: 'Access Denied' });
});

it('lists security events, or all events and reads', async () => {
  const user = await openPage(logs, await makeAdmin());
  await chooseOption(user, 'Event', 'All events and reads');
  await waitFor(() => expect(readPath()).toBe(`${logs}?kind=all`));
  expect(await screen.findByRole('combobox', { name: 'Event' })).toHaveTextContent('All events and reads');
  await chooseOption(user, 'Event', 'Security events');
  await waitFor(() => expect(readPath()).toBe(logs));
});

it('leads from the dashboard to unusual activity, and from there to its events', async () => {
  await db.deleteFrom('anomalies').execute();
  const [account, address] = [await makeAccount(), await makeAnomaly()];
  const failure = { kind: 'sign_in_failed', status: 401, userId: account.user.id, address } as const;
  for (let age = 0; age < 20; age += 1) await makeAccessEvent(db, 60 + age, failure);
  const found = { rule: 'failures', day, count: 20, userId: account.user.id } as const;
  const evidence = JSON.stringify({ address });
  await db
    .insertInto('anomalies')
    .values({ ...found, subject: `user:${account.user.id}`, evidence })
    .execute();
  const user = await openPage('/admin', await makeAdmin());
  await user.click(await screen.findByRole('link', { name: '2 unusual events to review' }));
  const failures = '20 failed attempts within 10 minutes';
  await screen.findByText(`${failures} to sign in from the IP address ${address}.`);
  screen.getByText(`${failures} to sign in to ${account.email}.`);
  await user.click(screen.getByRole('link', { name: new RegExp(`Show events: .*${address}`) }));
  await waitForRows(20);
  await screen.findByRole('button', { name: `Remove filter: IP address: ${address}` });
});
