import { screen, within } from '@testing-library/react';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { expect, it } from 'vitest';
import { intercept } from '../../../../test/component/intercept.ts';
import { db, makeAccount, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

/** Replaces numbers of all customers in the response of the gateway. */
const setHealth = (change: (health: PaymentHealth) => Partial<PaymentHealth>) =>
  intercept(/\/api\/admin\/payments\/health$/, async (send) => {
    const health = (await (await send()).json()) as PaymentHealth;
    return Response.json({ ...health, ...change(health) });
  });

/** Opens the page, and returns the card with its facts. */
async function openHealth() {
  await openPage('/admin/payments/inbox', await makeAdmin());
  const card = within(await screen.findByRole('region', { name: 'Health' }));
  /** The value and the note of a fact. */
  const findFact = async (name: string) => (await card.findByText(name)).parentElement?.querySelector('dd');
  return { card, findFact };
}

it('shows the account, and that nothing is pending', async () => {
  setHealth(() => ({ pendingEvents: 0, oldestPendingAt: null, pendingCustomers: 0, drift: null, failing: [] }));
  const { card, findFact } = await openHealth();
  expect((await findFact('Stripe account'))?.textContent).toMatch(/^acct_\w+test mode$/);
  expect((await findFact('Pending events'))?.textContent).toBe('0');
  expect((await findFact('Customers to sync'))?.textContent).toBe('0');
  expect((await findFact('Differences from Stripe'))?.textContent).toBe('Not compared yet');
  expect(card.queryByText(/couldn't be synced/)).toBeNull();
});

it('shows what is pending, the drift, and a customer that fails', async () => {
  const ada = await makeAccount();
  await subscribe(ada);
  const failed = { wanted: 99, failures: 2, error: 'Stripe returned 500.', notBefore: new Date(Date.now() + 60_000) };
  await db.updateTable('billingCustomers').set(failed).where('accountId', '=', ada.user.id).execute();
  const at = new Date().toISOString();
  setHealth(({ failing }) => ({
    ...{ pendingEvents: 1, oldestPendingAt: at, pendingCustomers: 1, drift: { checked: 3, found: 2, at } },
    // Other files have customers, too.
    failing: failing.filter(({ account }) => account?.id === ada.user.id),
  }));
  const { card, findFact } = await openHealth();
  expect((await findFact('Pending events'))?.textContent).toMatch(/^1oldest from /);
  expect((await findFact('Customers to sync'))?.textContent).toBe('1');
  expect((await findFact('Differences from Stripe'))?.textContent).toMatch(/^23 subscriptions compared /);
  card.getByText("1 customer couldn't be synced");
  const failing = card.getByRole('listitem');
  expect(failing).toHaveTextContent(ada.email);
  expect(failing).toHaveTextContent('2 failed attempts, next ');
  within(failing).getByText('Stripe returned 500.');
});
