import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { intercept } from '../../../test/component/intercept.ts';
import { fetchAccount, fill, makeAccount, openPage } from '../../../test/component/open-page.tsx';

it('disables New Key while the trimmed name is empty', async () => {
  const account = await makeAccount({ tier: 'api_basic' });
  const user = await openPage('/dashboard?tab=api-keys', account);
  await screen.findByText('No API keys yet');
  const reason = 'Enter a name to create a key.';
  expect(screen.getByText(reason)).toBeVisible();
  const button = screen.getByRole('button', { name: 'New Key' });
  expect(button).toBeDisabled();
  const name = screen.getByLabelText('Name');
  await fill(user, name, '   ');
  expect(button).toBeDisabled();
  await fill(user, name, ' Shop ');
  expect(button).toBeEnabled();
  expect(screen.queryByText(reason)).toBeNull();
  const form = screen.getByRole('region', { name: 'New API key' });
  expect(within(form).getByRole('link', { name: 'Documentation' })).toHaveAttribute('href', '/documentation');
});

it('disables New Key for users with an unconfirmed email address, and resends the link', async () => {
  const account = await makeAccount({ tier: 'api_basic', emailVerified: false });
  const user = await openPage('/dashboard?tab=api-keys', account);
  await fill(user, await screen.findByLabelText('Name'), ' Shop ');
  await screen.findByText('Confirm your email address to create API keys', { exact: false });
  expect(screen.getByRole('button', { name: 'New Key' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Resend link' }));
  // The link of the sign-up is too recent, and stays valid.
  await screen.findByText(/^We already sent a link to /);
});

it('shows a validation error at its field and keeps the input', async () => {
  const account = await makeAccount({ tier: 'api_basic' });
  const user = await openPage('/dashboard?tab=api-keys', account);
  await fill(user, await screen.findByLabelText('Name'), 'Shop');
  await user.click(screen.getByRole('button', { name: 'More options' }));
  const addresses = screen.getByLabelText('Allowed IP addresses');
  await fill(user, addresses, '127.0.0.1\nexample.com');
  await user.click(screen.getByRole('button', { name: 'New Key' }));
  await screen.findByText('Failed to create API key');
  expect(addresses).toHaveAttribute('aria-invalid', 'true');
  expect(addresses.parentElement).toHaveTextContent(
    'Each entry must be an IP address or a CIDR range, such as 203.0.113.7',
  );
  await fill(user, addresses, '');
  const origins = screen.getByLabelText('Allowed websites');
  await fill(user, origins, 'https://shop.example\nhttps://shop.example/path');
  await user.click(screen.getByRole('button', { name: 'New Key' }));
  await waitFor(() => expect(origins).toHaveAttribute('aria-invalid', 'true'));
  expect(origins.parentElement).toHaveTextContent('Each origin must be "https://" and a host name');
  expect(screen.getByLabelText('Name')).toHaveValue('Shop');
  await user.click(screen.getByRole('checkbox', { name: /^Process/ }));
  await user.click(screen.getByRole('checkbox', { name: /^Read/ }));
  await screen.findByText('Choose at least one scope.');
});

it.each(['free', 'pro'] as const)('shows users on %s the plans with API access and their prices', async (tier) => {
  await openPage('/dashboard?tab=api-keys', await makeAccount({ tier }));
  const card = await screen.findByRole('region', { name: 'Get live API keys' });
  const list = await within(card).findByRole('list', { name: 'Plans with API access' });
  const offers = within(list).getAllByRole('listitem');
  const sold = Object.values(currentPlans).filter(({ api }) => api);
  expect(offers).toHaveLength(sold.length);
  for (const [index, { name, price }] of sold.entries())
    expect(offers[index]).toHaveTextContent(new RegExp(`${name}\\$${price} per month`));
  expect(within(card).getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
  expect(screen.queryByRole('button', { name: 'New Key' })).toBeNull();
});

it('creates the sandbox key of a plan without API access once, which works', async () => {
  const user = await openPage('/dashboard?tab=api-keys', await makeAccount());
  await user.click(await screen.findByRole('button', { name: 'Create sandbox key' }));
  const panel = await screen.findByRole('dialog', { name: 'Save your API key' });
  const secret = panel.querySelector('code')?.textContent ?? '';
  expect(secret).toMatch(/^upz_test_[0-9A-Za-z]{36}$/);
  await user.click(within(panel).getByRole('button', { name: "I've saved this key" }));
  const list = await screen.findByRole('list', { name: 'Your API keys' });
  // Its name and its type.
  expect(await within(list).findAllByText('Sandbox')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Create sandbox key' })).toBeNull();
  const answer = await fetchAccount(secret);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ plan: { key: 'free' }, key: { kind: 'test' } });
});

it('shows an error without a connection, and keeps the name', async () => {
  const user = await openPage('/dashboard?tab=api-keys', await makeAccount({ tier: 'api_basic' }));
  await screen.findByText('No API keys yet');
  const name = screen.getByLabelText('Name');
  await fill(user, name, 'Shop');
  intercept(/^\/api\/api-keys$/, () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(screen.getByRole('button', { name: 'New Key' }));
  expect(await screen.findAllByText('Failed to create API key')).toHaveLength(1);
  expect(name).toHaveValue('Shop');
});
