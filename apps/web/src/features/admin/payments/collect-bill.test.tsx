import { screen, waitFor, within } from '@testing-library/react';
import { expect, inject, it } from 'vitest';
import { findRow, press } from '../../../../test/component/admin-page.ts';
import { db, makeAccount, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

const { stripeUrl, stripeKeys } = inject('site');

/** Posts a form to the Stripe double. */
async function post(path: string, fields: Record<string, string>): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${stripeKeys.secretKey}` };
  const response = await fetch(`${stripeUrl}/v1/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string };
}

/** Lets time pass for one customer of the Stripe double. */
async function advance(customer: string, time: { seconds: number } | { until: 'period_end' }): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${stripeUrl}/_control/customers/${customer}/advance`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(time) });
  if (!response.ok) throw new Error(await response.text());
}

it('collects a bill: the card is declined, and pays after it was replaced', async () => {
  const [admin, ada] = [await makeAdmin(), await makeAccount()];
  await subscribe(ada);
  const bought = db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers', 'billingCustomers.stripeId', 'subscriptions.customerId')
    .select(['subscriptions.id', 'subscriptions.customerId'])
    .where('billingCustomers.accountId', '=', ada.user.id);
  const { id, customerId: customer } = await bought.executeTakeFirstOrThrow();
  const setCard = async (card: string) => {
    const { id: method } = await post(`payment_methods/${card}/attach`, { customer });
    await post(`subscriptions/${id}`, { default_payment_method: method });
  };
  await setCard('pm_card_chargeCustomerFail');
  await advance(customer, { until: 'period_end' });
  await advance(customer, { seconds: 2 * 3_600 });

  const user = await openPage(`/admin/payments?search=${customer}`, admin);
  const open = async () => {
    await press(user, `Actions for ${ada.email}`, await findRow(ada.email));
    return screen.findByRole('menuitem', { name: /^Collect (open|unpaid) bill$/ });
  };
  const findText = async (text: string) => within(await findRow(ada.email)).findByText(text);
  // Stripe's decline isn't stored yet.
  expect(await open()).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('menuitem', { name: 'Sync with Stripe' }));
  await findText('Past due');
  await findText('$7.00 unpaid');
  await user.click(await open());
  await screen.findByText("Couldn't collect the bill");
  screen.getByText('Your card was declined.');
  await findText('Past due');
  await setCard('pm_card_visa');
  await user.click(await open());
  await screen.findByText('The bill was paid');
  await findText('Active');
  await waitFor(async () => expect(await findRow(ada.email)).not.toHaveTextContent('$7.00 unpaid'));
  expect(await open()).toHaveAttribute('aria-disabled', 'true');
});
