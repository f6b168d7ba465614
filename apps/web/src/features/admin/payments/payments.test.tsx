import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import {
  choose,
  db,
  fill,
  makeAccount,
  makeAdmin,
  openPage,
  readPath,
  site,
} from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

const admin = fileFixture(makeAdmin);

/** An account with a paid plan. */
async function makeSubscriber() {
  const account = await makeAccount();
  await subscribe(account);
  const customers = db.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', account.user.id);
  return { ...account, customerId: (await customers.executeTakeFirstOrThrow()).stripeId };
}
type Subscriber = Awaited<ReturnType<typeof makeSubscriber>>;

const listSubscriptions = (search: string) => openPage(`/admin/payments?search=${search}`, admin);

it('filters, sorts, and says when nothing matches', async () => {
  const subscribers = [await makeSubscriber(), await makeSubscriber()] as const;
  const [ada, mary] = subscribers;
  // A UUID would be searched for as an ID.
  const lastName = `Lovelace ${randomUUID().slice(0, 8)}`;
  for (const [index, { user, customerId }] of subscribers.entries()) {
    await db.updateTable('users').set({ lastName }).where('id', '=', user.id).execute();
    const createdAt = new Date(Date.now() - (subscribers.length - index) * 60_000);
    await db.updateTable('subscriptions').set({ createdAt }).where('customerId', '=', customerId).execute();
  }
  const incomplete = db.updateTable('subscriptions').set({ status: 'incomplete' });
  await incomplete.where('customerId', '=', mary.customerId).execute();
  const user = await listSubscriptions(lastName);
  await waitForRows(2);
  await screen.findByText('2 of 2');
  await user.click(screen.getByRole('combobox', { name: 'Status' }));
  const statuses = textsOf(await screen.findAllByRole('option')).slice(1);
  expect(statuses).toEqual(['Active or past due', 'Active', 'Pending', 'Incomplete', 'Past due', 'Canceled']);
  await user.click(screen.getByRole('option', { name: 'Incomplete' }));
  await waitForRows(1);
  within(await findRow(mary.email)).getByRole('link', { name: `Ada ${lastName}` });
  expect(readPath()).toContain('status=incomplete');
  const search = screen.getByRole('searchbox', { name: 'Search by name, email, or ID' });
  await fill(user, search, ada.email);
  await screen.findByText('No matches');
  await press(user, 'Clear filters');
  await fill(user, screen.getByRole('searchbox'), lastName);
  // Without other rows, there are two before the search, too.
  await waitFor(() => expect(readPath()).toContain('search='));
  await waitForRows(2);
  await press(user, 'Created');
  await waitFor(() => expect(readPath()).toContain('sort=created'));
  await waitFor(() => expect(document.querySelector('tbody tr')).toHaveTextContent(ada.email));
  expect(screen.getByRole('button', { name: 'Created' }).closest('th')).toHaveAttribute('aria-sort', 'ascending');
});

it('shows a badge for every state of subscriptions and payments', async () => {
  const { customerId } = await makeSubscriber();
  const show = async (path: string, badge: string) => {
    await openPage(`/admin/payments${path}?search=${customerId}`, admin);
    await within(await findRow('Ada')).findByText(badge);
  };
  const subscriptions = {
    Active: 'active',
    Incomplete: 'incomplete',
    'Past due': 'past_due',
    Canceled: 'canceled',
  } as const;
  for (const [badge, status] of Object.entries(subscriptions)) {
    await db.updateTable('subscriptions').set({ status }).where('customerId', '=', customerId).execute();
    await show('', badge);
  }
  const payments = {
    Succeeded: { status: 'succeeded' },
    Pending: { status: 'processing' },
    Incomplete: { status: 'requires_action' },
    Failed: { status: 'requires_payment_method', failureCode: 'card_declined' },
    Canceled: { status: 'canceled' },
  } as const;
  for (const [badge, state] of Object.entries(payments)) {
    await db.updateTable('payments').set(state).where('customerId', '=', customerId).execute();
    await show('/transactions', badge);
  }
});

/** Opens the dialog that refunds the payment of an account. */
async function openRefund(user: Awaited<ReturnType<typeof openPage>>, { email }: Subscriber) {
  await choose(user, `Actions for ${email}`, 'Refund');
  const dialog = await screen.findByRole('dialog', { name: `Refund a payment of ${email}` });
  const fields = within(dialog);
  return { dialog, fields, cancels: fields.getByRole('checkbox', { name: 'Cancel the subscription too' }) };
}

it('refunds a part of a payment, then the rest', async () => {
  const [ada, careful] = [await makeSubscriber(), await makeAdmin('owner', { isConfirmed: false })];
  const user = await openPage(`/admin/payments/transactions?search=${ada.customerId}`, careful);
  await waitForRows(1);
  within(await findRow(ada.email)).getByText('Visa •••• 4242');
  const { dialog, fields, cancels } = await openRefund(user, ada);
  await fields.findByText(/^You can refund up to \$7\.00 of \$7\.00\./);
  expect(cancels).toBeChecked();
  fields.getByText("The plan ends now, and the account isn't billed again.");
  await user.click(fields.getByRole('radio', { name: 'Partial refund' }));
  expect(cancels).not.toBeChecked();
  await fields.findByText(/^The account keeps its plan\. The subscription continues, and the next bill is on /);
  await fill(user, fields.getByLabelText('Amount'), '8');
  await press(user, 'Refund', dialog);
  await fields.findByText('Enter an amount from $0.01 to $7.00.');
  await fill(user, fields.getByLabelText('Amount'), '2.50');
  await fill(user, fields.getByLabelText(/^Note/), 'Late result');
  await press(user, 'Refund $2.50', dialog);
  const first = await screen.findByRole('dialog', { name: "Confirm it's you" });
  within(first).getByText('This change needs your password.');
  await press(user, 'Cancel', first);
  await fields.findByText('Enter your password or a code to continue.');
  expect(fields.getByLabelText('Amount')).toHaveValue('2.50');
  await press(user, 'Refund $2.50', dialog);
  const proof = await screen.findByRole('dialog', { name: "Confirm it's you" });
  await fill(user, within(proof).getByLabelText('Current password'), 'not this one');
  await press(user, 'Confirm', proof);
  await within(proof).findByText('Your current password is incorrect.');
  await fill(user, within(proof).getByLabelText('Current password'), careful.password);
  await user.type(within(proof).getByLabelText('Current password'), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () => expect(await findRow(ada.email)).toHaveTextContent('$2.50 refunded'));
  const rest = await openRefund(user, ada);
  await rest.fields.findByText(/^You can refund up to \$4\.50 of \$7\.00\./);
  await user.click(rest.cancels);
  await rest.fields.findByText(/^The account loses its plan\. The subscription continues, and the next bill is on /);
  // The password holds for some minutes.
  await press(user, 'Refund $4.50', rest.dialog);
  await waitFor(async () => expect(await findRow(ada.email)).toHaveTextContent('$7.00 refunded'));
  await press(user, `Actions for ${ada.email}`);
  const nothing = await screen.findByRole('menuitem', { name: 'Nothing left to refund' });
  expect(nothing).toHaveAttribute('aria-disabled', 'true');
  const payments = db.selectFrom('payments').select('id').where('customerId', '=', ada.customerId);
  const refunds = await db.selectFrom('refunds').select('amount').where('paymentId', 'in', payments).execute();
  expect(refunds.map(({ amount }) => amount).toSorted()).toEqual([250, 450]);
});

it('cancels a plan at the end of its period, and reads an account again', async () => {
  const mary = await makeSubscriber();
  const user = await listSubscriptions(mary.customerId);
  await waitForRows(1);
  await choose(user, `Actions for ${mary.email}`, 'Sync with Stripe');
  await screen.findByText('The account is up to date');
  await choose(user, `Actions for ${mary.email}`, 'Cancel plan');
  const dialog = await screen.findByRole('dialog', { name: `Cancel the plan of ${mary.email}` });
  within(dialog).getByText(/^The account keeps its plan until /);
  await press(user, 'Cancel plan', dialog);
  await waitFor(async () => expect(await findRow(mary.email)).toHaveTextContent('Cancels on '));
  await choose(user, `Actions for ${mary.email}`, 'Show payments');
  await waitFor(() => expect(readPath()).toBe(`/admin/users/${mary.user.id}?tab=payments`));
});

it('retries an event, and exports what is shown', async () => {
  const { customerId } = await makeSubscriber();
  const id = `evt_${randomUUID()}`;
  const type = `invoice.${randomUUID()}`;
  const event = { id, type, objectType: 'invoice', objectId: 'in_1', createdAt: new Date() };
  const lost = { ...event, customerId, paymentIntentId: null, state: 'ignored' } as const;
  await db.insertInto('stripeEvents').values(lost).execute();
  const user = await openPage(`/admin/payments/inbox?search=${id}`, admin);
  await waitForRows(1);
  await choose(user, `Actions for ${type}`, 'Retry');
  await waitFor(async () => expect(await findRow(id)).toHaveTextContent('Pending'));
  const link = screen.getByRole('link', { name: 'Export JSON' }).getAttribute('href');
  expect(await (await admin.fetch(site.url + link)).json()).toMatchObject([{ event: id }]);
});
