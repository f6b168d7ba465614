import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeAccount, openPage, readPath } from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

const region = { name: 'Payment status' };
const findStatus = async () => within(await screen.findByRole('region', region));

it('waits for the result of a payment, and believes the account instead of the address', async () => {
  const account = await makeAccount();
  const intent = new URLSearchParams({ payment_intent: 'pi_1', payment_intent_client_secret: 'x' });
  await openPage(`/dashboard?${intent}&redirect_status=succeeded`, account);
  await (await findStatus()).findByText('Checking your payment...');
  await waitFor(() => expect(readPath()).not.toContain('secret'));
  expect(screen.queryByText('You are now subscribed!')).toBeNull();
  await subscribe(account);
  const toast = (await screen.findByText('You are now subscribed!')).closest('li');
  expect(toast).toHaveTextContent('Payment Successful');
  await waitFor(() => expect(readPath()).toBe('/dashboard'));
  await waitFor(() => expect(screen.queryByRole('region', region)).toBeNull());
});

it('shows a payment that failed on another page', async () => {
  await openPage('/dashboard?setup_intent=seti_1&redirect_status=failed', await makeAccount());
  const status = await findStatus();
  await status.findByText('Payment Failed');
  status.getByText('Your payment was declined. Try another payment method.');
  expect(status.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
});
