import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { chooseOption, confirmIdentity, findRow, press, textsOf } from '../../../../test/component/admin-page.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import {
  choose,
  db,
  fetchAccount,
  fill,
  makeAccount,
  makeAdmin,
  openPage,
  setRole,
  site,
} from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

/** An account with two keys, which searches find by a word in their names. The older one isn't used any more. */
async function makeKeys() {
  const owner = await makeAccount({ tier: 'api_pro' });
  const word = randomUUID().slice(0, 8);
  const [shop, old] = [`=1+1 <b>Shop</b> ${word}`, `Old ${word}`];
  const { key: shopKey } = (await owner.client.createApiKey({ body: { name: shop } })).data;
  await owner.client.createApiKey({ body: { name: old } });
  const createdAt = new Date(Date.now() - 90 * 86_400_000);
  await db.updateTable('apiKeys').set({ createdAt, usageCount: 7 }).where('name', '=', old).execute();
  return { owner, word, shop, old, shopKey };
}
const expectRows = (...names: string[]) =>
  waitFor(() => {
    const rows = textsOf(document.querySelectorAll('tbody tr'));
    expect(rows).toEqual(names.map((name) => expect.stringContaining(name)));
  });
const findSwitch = (name: string) => screen.findByRole('switch', { name: `Active: ${name}` });
const readExport = async (name: string) => {
  const link = screen.getByRole('link', { name }).getAttribute('href');
  return (await admin.fetch(site.url + link)).text();
};
const readStats = async (key: string) =>
  (await admin.fetch(`${site.url}/v1/admin/stats`, { headers: { authorization: `Bearer ${key}` } })).status;

it('creates a service key, shows it once, switches it, and deletes it', async () => {
  const name = `<i>Monitor</i> ${randomUUID().slice(0, 8)}`;
  const careful = await makeAdmin('owner', { isConfirmed: false });
  const user = await openPage('/admin/security/api-keys', careful);
  await press(user, 'Create service key');
  const dialog = await screen.findByRole('dialog', { name: 'Create service key' });
  await press(user, 'Create key', dialog);
  await within(dialog).findByText('Name is required');
  await fill(user, within(dialog).getByLabelText('Name'), name);
  await press(user, 'Create key', dialog);
  await confirmIdentity(user, careful);
  const secret = await screen.findByRole('dialog', { name: 'Save your API key' });
  const key = secret.querySelector('code')?.textContent ?? '';
  expect(await readStats(key)).toBe(200);
  await user.keyboard('{Escape}');
  await press(user, "I've saved this key", secret);
  await waitFor(() => expect(document.body.textContent).not.toContain(key));
  expect(await findRow(name)).toHaveTextContent('Service key');
  await user.click(await findSwitch(name));
  await screen.findByText('API key updated successfully');
  await waitFor(async () => expect(await findRow(name)).toHaveTextContent('Inactive'));
  expect(await readStats(key)).toBe(401);
  await user.click(await findSwitch(name));
  await waitFor(async () => expect(await readStats(key)).toBe(200));
  await choose(user, `Actions for ${name}`, 'Delete key');
  const question = await screen.findByRole('alertdialog', { name: `Delete "${name}"?` });
  expect(within(question).getByRole('button', { name: 'Delete key' })).toBeDisabled();
  await fill(user, within(question).getByLabelText(`Type ${name} to confirm`), name);
  await press(user, 'Delete key', question);
  await waitFor(() => expect(screen.queryByText(name)).toBeNull());
  expect(await readStats(key)).toBe(401);
});

it('filters, sorts, and exports the keys of all accounts', async () => {
  const { owner, word, shop, old } = await makeKeys();
  const user = await openPage(`/admin/security/api-keys?search=${word}`, admin);
  await expectRows(shop, old);
  await press(user, 'Usage (calls)');
  await expectRows(old, shop);
  await press(user, 'Last Used');
  await press(user, 'Created');
  await expectRows(shop, old);
  await chooseOption(user, 'Status', 'Unused for 60 days');
  await expectRows(old);
  await chooseOption(user, 'Status', 'All statuses');
  await chooseOption(user, 'Type', 'Service');
  await screen.findByText('No matches');
  await press(user, 'Clear filters');
  await fill(user, await screen.findByRole('searchbox', { name: 'Search keys and owners' }), `shop</b> ${word}`);
  await expectRows(shop);
  const rows = JSON.parse(await readExport('Export JSON')) as object[];
  expect(rows).toMatchObject([{ name: shop, kind: 'live', owner_email: owner.email, active: 'yes', calls: 0 }]);
  const [head, cells, rest] = (await readExport('Export CSV')).trim().split('\r\n');
  expect(head).toBe(Object.keys(rows[0] ?? {}).join(','));
  expect([cells, rest]).toEqual([expect.stringContaining(`,'${shop},live,`), undefined]);
});

it('switches a key off, and moves the switch back for a key of an administrator above the own role', async () => {
  const { owner, word, shop, shopKey } = await makeKeys();
  const staff = await makeAdmin();
  const user = await openPage(`/admin/security/api-keys?search=${word}`, staff);
  expect((await fetchAccount(shopKey)).status).toBe(200);
  await user.click(await findSwitch(shop));
  await waitFor(async () => expect(await findRow(shop)).toHaveTextContent('Inactive'));
  await waitFor(async () => expect((await fetchAccount(shopKey)).status).toBe(401));
  await setRole(owner, 'owner');
  await setRole(staff, 'admin');
  await user.click(await findSwitch(shop));
  await screen.findByText(/^Failed to update API key\. You can't change an administrator above/);
  await waitFor(async () => expect(await findSwitch(shop)).not.toBeChecked());
});

it('shows what roles include, and changes the role of an administrator', async () => {
  const lastName = `Lovelace ${randomUUID().slice(0, 8)}`;
  const ada = await makeAdmin('viewer');
  await db.updateTable('users').set({ lastName }).where('id', '=', ada.user.id).execute();
  const user = await openPage(`/admin/security/permissions?search=${ada.email}`, admin);
  const matrix = await screen.findByRole('table', { name: 'Permissions of each role' });
  const credits = within(matrix).getByRole('row', { name: /^Grant credits/ });
  expect(credits).toHaveTextContent('Support100 credits per day');
  expect(within(credits).getAllByRole('img', { name: 'Yes' })).toHaveLength(2);
  expect(within(credits).getAllByRole('img', { name: 'No' })).toHaveLength(2);
  await chooseOption(user, 'Role', 'Viewer');
  await findRow(ada.email);
  await chooseOption(user, 'Two-factor authentication', 'Two-factor on');
  await waitFor(() => expect(screen.queryByText(ada.email)).toBeNull());
  await press(user, 'Clear filters');
  await findRow(ada.email);
  const exported = JSON.parse(await readExport('Export JSON')) as { email: string }[];
  expect(exported.find(({ email }) => email === ada.email)).toMatchObject({ two_factor: 'no' });
  expect(screen.queryByRole('button', { name: `Actions for ${admin.email}` })).toBeNull();
  await choose(user, `Actions for ${ada.email}`, 'Change role');
  const dialog = await screen.findByRole('dialog', { name: `Change the role of Ada ${lastName}` });
  await chooseOption(user, 'Role', 'Support');
  await fill(user, within(dialog).getByLabelText('Reason'), 'Answers mails');
  await setRole(ada, 'editor');
  await press(user, 'Change role', dialog);
  await within(dialog).findByText(/^This user's role was changed in the meantime\./);
  await within(dialog).findByText(/^Current role: Editor\./);
  expect(within(dialog).getByLabelText('Reason')).toHaveValue('Answers mails');
  await press(user, 'Change role', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () => expect(await findRow(ada.email)).toHaveTextContent('Support'));
});

it('says that settings were not saved, and that a key was not created', async () => {
  const fail = () => Promise.reject(new TypeError('Failed to fetch'));
  const user = await openPage('/admin/security', admin);
  await fill(user, await screen.findByRole('textbox', { name: 'Max login attempts' }), '8');
  intercept(/\/api\/admin\/security\/settings$/, fail);
  await press(user, 'Save');
  await screen.findByText('Failed to update security settings');
  const other = await openPage('/admin/security/api-keys', admin);
  await press(other, 'Create service key');
  const dialog = await screen.findByRole('dialog', { name: 'Create service key' });
  await fill(other, within(dialog).getByLabelText('Name'), 'Monitor');
  intercept(/\/api\/admin\/api-keys$/, fail);
  await press(other, 'Create key', dialog);
  await within(dialog).findByText('Failed to create API key');
  expect(screen.getAllByText('Failed to create API key')).toHaveLength(1);
});
