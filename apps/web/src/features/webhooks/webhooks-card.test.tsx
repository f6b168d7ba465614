import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseOption } from '../../../test/component/admin-page.ts';
import { choose, db, fill, makeAccount, openPage, readTraces } from '../../../test/component/open-page.tsx';

const tab = '/dashboard?tab=api-keys';
/** A public IP address without an HTTPS server: a root name server. */
const url = 'https://198.97.190.53/hooks';

/** An account that has an endpoint. */
async function makeWebhookAccount() {
  const account = await makeAccount({ tier: 'api_pro' });
  const { data } = await account.client.createWebhook({ body: { url } });
  return { account, id: data.id, secret: data.secret };
}

const findCard = (name: string) => screen.findByRole('region', { name });
async function findRow(): Promise<HTMLElement> {
  const list = await screen.findByRole('list', { name: 'Webhooks' });
  return (await within(list).findByText(url)).closest('li') as HTMLElement;
}

it('shows users with sandbox webhooks the plan with live events, and an empty event list', async () => {
  const user = await openPage(tab, await makeAccount({ tier: 'api_basic' }));
  const card = within(await findCard('Webhooks'));
  await card.findByText(/Upgrade to API Pro for live events/);
  expect(card.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
  await within(await findCard('Events')).findByText('No events yet');
  await user.click(await card.findByRole('button', { name: 'Add endpoint' }));
  const sandbox = await screen.findByRole('checkbox', { name: /^Receive sandbox events only/ });
  expect(sandbox).toBeChecked();
  expect(sandbox).toBeDisabled();
});

it('shows an error at the field for a URL that is not public, and a secret once for a public one', async () => {
  const user = await openPage(tab, await makeAccount({ tier: 'api_pro' }));
  await user.click(await screen.findByRole('button', { name: 'Add endpoint' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New endpoint' }));
  const field = dialog.getByLabelText('URL');
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  await fill(user, field, 'https://127.0.0.1/hooks');
  await user.click(save);
  await waitFor(() => expect(field).toHaveAttribute('aria-invalid', 'true'));
  await fill(user, field, url);
  await user.click(dialog.getByRole('checkbox', { name: /^All current and future events/ }));
  await user.click(dialog.getByRole('checkbox', { name: /^job.expired/ }));
  await user.click(save);
  const panel = await screen.findByRole('dialog', { name: 'Save your signing secret' });
  const secret = panel.querySelector('code')?.textContent ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await user.keyboard('{Escape}');
  await user.click(within(panel).getByRole('button', { name: "I've saved this secret" }));
  const row = await findRow();
  within(row).getByText('Active');
  expect(row).toHaveTextContent('job.completed');
  expect(row).not.toHaveTextContent('job.expired');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(readTraces()).not.toContain(secret);
});

it('shows the endpoints of a former plan, which can only be deleted', async () => {
  const { account } = await makeWebhookAccount();
  const setTier = (tier: 'free' | 'api_pro') =>
    db.updateTable('users').set({ tier }).where('id', '=', account.user.id).execute();
  await setTier('free');
  const user = await openPage(tab, account);
  const card = within(await findCard('Webhooks'));
  await card.findByText("Your endpoints don't receive events on your current plan.", { exact: false });
  await findRow();
  expect(card.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add endpoint' })).toBeNull();
  await user.click(screen.getByRole('button', { name: `Actions for ${url}` }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Delete endpoint']);
});

it('filters deliveries by status', async () => {
  const { account, id } = await makeWebhookAccount();
  await account.client.testWebhook({ params: { id } });
  const user = await openPage(tab, account);
  const row = within(await findRow());
  await user.click(row.getByRole('button', { name: 'Deliveries' }));
  await row.findByText('webhook.test');
  await chooseOption(user, 'Status', 'Failed');
  await row.findByText('No matching deliveries');
  await chooseOption(user, 'Status', 'Pending');
  await row.findByText('webhook.test');
});

it('rotates the secret, and updates, disables, and deletes the endpoint', async () => {
  const { account, secret } = await makeWebhookAccount();
  const user = await openPage(tab, account);
  await choose(user, `Actions for ${url}`, 'Rotate secret');
  const rotation = await screen.findByRole('dialog', { name: 'Rotate this secret?' });
  await user.click(within(rotation).getByRole('button', { name: 'Rotate secret' }));
  const panel = await screen.findByRole('dialog', { name: 'Save your signing secret' });
  const rotated = panel.querySelector('code')?.textContent ?? '';
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  await user.click(within(panel).getByRole('button', { name: "I've saved this secret" }));
  await within(await findRow()).findByText('Previous secret valid until');
  await choose(user, `Actions for ${url}`, 'Edit endpoint');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint' }));
  await fill(user, dialog.getByLabelText(/^Description/), 'The shop');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await within(await findRow()).findByText('The shop');
  await user.click(await screen.findByRole('switch', { name: `Active: ${url}` }));
  await within(await findRow()).findByText('You disabled this endpoint.');
  expect(screen.getByRole('switch', { name: `Active: ${url}` })).not.toBeChecked();
  const endpoint = db.selectFrom('webhookEndpoints').select('isActive').where('accountId', '=', account.user.id);
  expect(await endpoint.execute()).toEqual([{ isActive: false }]);
  await choose(user, `Actions for ${url}`, 'Delete endpoint');
  const question = await screen.findByRole('alertdialog', { name: 'Delete this endpoint?' });
  await user.click(within(question).getByRole('button', { name: 'Delete endpoint' }));
  await within(await findCard('Webhooks')).findByText('No endpoints yet');
  expect(await endpoint.execute()).toEqual([]);
});

it('shows an event as returned by the API', async () => {
  const { account, id } = await makeWebhookAccount();
  const user = await openPage(tab, account);
  const card = within(await findCard('Events'));
  await card.findByText('No events yet');
  await account.client.testWebhook({ params: { id } });
  const events = () => db.selectFrom('events').select(['id', 'position']).where('accountId', '=', account.user.id);
  // No dispatcher numbers it.
  await db.updateTable('events').set({ position: 1 }).where('accountId', '=', account.user.id).execute();
  await user.click(card.getByRole('button', { name: 'Refresh' }));
  const list = await card.findByRole('list', { name: 'Events, newest first' });
  const event = within(list).getAllByRole('listitem')[0] as HTMLElement;
  expect(within(event).getAllByText('webhook.test')[0]).toBeVisible();
  await user.click(within(event).getByRole('button', { name: 'Event data' }));
  await waitFor(() => expect(event.querySelectorAll('code')).toHaveLength(2));
  const shown = JSON.parse(event.querySelectorAll('code')[1]?.textContent ?? '') as { id: string };
  expect(await events().execute()).toEqual([{ id: shown.id, position: 1 }]);
});
