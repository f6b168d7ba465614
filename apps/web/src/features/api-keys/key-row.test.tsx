import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { limits } from '@uprez/contracts/policy/limits';
import { expect, it } from 'vitest';
import { intercept, makeProblem } from '../../../test/component/intercept.ts';
import {
  choose,
  db,
  fetchAccount,
  fill,
  makeAccount,
  openPage,
  readTraces,
} from '../../../test/component/open-page.tsx';

/** An account that has a key named "Shop". */
async function makeKeyAccount() {
  const account = await makeAccount({ tier: 'api_basic' });
  const { data } = await account.client.createApiKey({ body: { name: 'Shop', kind: 'live', scopes: ['read'] } });
  return { account, id: data.id, secret: data.key };
}

const openTab = ({ account }: Awaited<ReturnType<typeof makeKeyAccount>>) =>
  openPage('/dashboard?tab=api-keys', account);
const statusOf = async (key: string) => (await fetchAccount(key)).status;
const toggleOf = (name: string) => screen.findByRole('switch', { name: `Active: ${name}` });
async function rowsOf(name: string): Promise<HTMLElement[]> {
  const list = await screen.findByRole('list', { name: 'Your API keys' });
  const headings = await within(list).findAllByText(name, { selector: 'h3' });
  return headings.map((heading) => heading.closest('li') as HTMLElement);
}
async function rowOf(name: string): Promise<HTMLElement> {
  const [row] = await rowsOf(name);
  return row as HTMLElement;
}
async function deleteKey(user: UserEvent, name: string): Promise<void> {
  await fill(user, screen.getByLabelText(`Type ${name} to confirm`), name);
  await user.click(screen.getByRole('button', { name: 'Delete key' }));
}

it('shows changes made elsewhere when the tab becomes visible again', async () => {
  const made = await makeKeyAccount();
  await openTab(made);
  await rowOf('Shop');
  await db.updateTable('apiKeys').set({ name: 'Renamed elsewhere' }).where('id', '=', made.id).execute();
  window.dispatchEvent(new Event('visibilitychange'));
  await rowOf('Renamed elsewhere');
});

it('disables and enables a key with its switch', async () => {
  const made = await makeKeyAccount();
  const user = await openTab(made);
  await user.click(await toggleOf('Shop'));
  await within(await rowOf('Shop')).findByText('Inactive');
  await waitFor(async () => expect(await statusOf(made.secret)).toBe(401));
  await user.click(await toggleOf('Shop'));
  await waitFor(async () => expect(await statusOf(made.secret)).toBe(200));
  await within(await rowOf('Shop')).findByText('Active');
});

it('moves the switch immediately, and back when the request fails', async () => {
  const made = await makeKeyAccount();
  const user = await openTab(made);
  const sentence = 'The service is temporarily unavailable. Try again in a moment.';
  let refuse = () => {};
  const held = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const toggle = await toggleOf('Shop');
  intercept(/\/toggle$/, () => held.then(() => makeProblem(503, 'service_unavailable', sentence)));
  await user.click(toggle);
  await within(await rowOf('Shop')).findByText('Inactive');
  expect(await toggleOf('Shop')).not.toBeChecked();
  refuse();
  await screen.findByText('Failed to update API key');
  await screen.findByText(sentence);
  await within(await rowOf('Shop')).findByText('Active');
  expect(await toggleOf('Shop')).toBeChecked();
  expect(await statusOf(made.secret)).toBe(200);
});

it('renames and limits a key', async () => {
  const made = await makeKeyAccount();
  await db
    .insertInto('apiKeyDays')
    .values({ keyId: made.id, day: new Date().toISOString().slice(0, 10), units: 1 })
    .execute();
  const user = await openTab(made);
  await choose(user, 'Actions for Shop', 'Edit key');
  const dialog = await screen.findByRole('dialog', { name: 'Edit "Shop"' });
  await fill(user, within(dialog).getByLabelText('Name'), 'Kiosk');
  await fill(user, within(dialog).getByLabelText('Monthly limit (images)'), '50');
  await user.click(within(dialog).getByRole('combobox', { name: 'Expires' }));
  await user.click(await screen.findByRole('option', { name: 'In 30 days' }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('API key updated successfully');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Kiosk' })).toHaveFocus());
  const row = await rowOf('Kiosk');
  expect(within(row).getByRole('meter', { name: 'Images this month' })).toHaveAttribute('aria-valuetext', '1 of 50');
  expect(row.querySelector('dl')).not.toHaveTextContent('ExpiresNever');
});

it('keeps a rotated key valid during the overlap, next to the new one', async () => {
  const made = await makeKeyAccount();
  const user = await openTab(made);
  await choose(user, 'Actions for Shop', 'Rotate key');
  const question = await screen.findByRole('dialog', { name: 'Rotate "Shop"' });
  await user.click(within(question).getByRole('button', { name: 'Rotate key' }));
  const panel = await screen.findByRole('dialog', { name: 'Save your API key' });
  await within(panel).findByText(/^The previous key .+ works until /);
  const secret = panel.querySelector('code')?.textContent ?? '';
  expect(secret).toMatch(/^upz_live_[0-9A-Za-z]{36}$/);
  expect(secret).not.toBe(made.secret);
  expect([await statusOf(made.secret), await statusOf(secret)]).toEqual([200, 200]);
  expect(readTraces()).toContain(secret);
  await user.click(within(panel).getByRole('button', { name: "I've saved this key" }));
  await within(await screen.findByRole('list', { name: 'Your API keys' })).findByText('Rotated');
  expect(await rowsOf('Shop')).toHaveLength(2);
  expect(readTraces()).not.toContain(secret);
});

it('marks keys that were not used for 60 days or have expired', async () => {
  const made = await makeKeyAccount();
  await made.account.client.createApiKey({ body: { name: 'Kiosk', kind: 'live', scopes: ['read'] } });
  const before = new Date(Date.now() - limits.apiKeyUnusedDays * 86_400_000);
  await db.updateTable('apiKeys').set({ lastUsedAt: before }).where('id', '=', made.id).execute();
  await db
    .updateTable('apiKeys')
    .set({ expiresAt: before })
    .where('accountId', '=', made.account.user.id)
    .where('name', '=', 'Kiosk')
    .execute();
  await openTab(made);
  await within(await rowOf('Shop')).findByText(/^Not used for 60 days\./);
  expect(within(await rowOf('Kiosk')).getAllByText('Expired')[0]).toBeVisible();
  expect(await toggleOf('Kiosk')).toBeDisabled();
  expect(await toggleOf('Shop')).toBeEnabled();
});

it('deletes a key after its name is typed', async () => {
  const made = await makeKeyAccount();
  const user = await openTab(made);
  await choose(user, 'Actions for Shop', 'Delete key');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await fill(user, screen.getByLabelText('Type Shop to confirm'), 'Sho');
  expect(screen.getByRole('button', { name: 'Delete key' })).toBeDisabled();
  expect(await statusOf(made.secret)).toBe(200);
  await deleteKey(user, 'Shop');
  await screen.findByText('No API keys yet');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(await statusOf(made.secret)).toBe(401);
});

it('allows existing keys to be deleted on a plan without API access', async () => {
  const made = await makeKeyAccount();
  await db.updateTable('users').set({ tier: 'free' }).where('id', '=', made.account.user.id).execute();
  const user = await openTab(made);
  await screen.findByText("Your live keys don't work on your current plan.", { exact: false });
  await choose(user, 'Actions for Shop', 'Delete key');
  await screen.findByRole('alertdialog');
  await deleteKey(user, 'Shop');
  await waitFor(() => expect(screen.queryByText('Shop')).toBeNull());
  const left = db.selectFrom('apiKeys').select('id').where('id', '=', made.id).where('deletedAt', 'is', null);
  expect(await left.execute()).toEqual([]);
});
