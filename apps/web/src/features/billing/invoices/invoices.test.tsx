import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { makeAccount, openPage, readPath, site } from '../../../../test/component/open-page.tsx';
import { stubStripe, subscribe } from '../../../../test/component/shop.ts';

const { name } = currentPlans.pro;

it('leads an account without invoices from the account page to a plan', async () => {
  const account = await makeAccount();
  await openPage('/account', account);
  expect(await screen.findByRole('link', { name: 'Manage billing' })).toHaveAttribute('href', '/account/billing');
  stubStripe();
  const user = await openPage('/account/billing', account);
  await screen.findByText('No invoices yet');
  await screen.findByText("You don't have a subscription.");
  await user.click(await screen.findByRole('link', { name: `Subscribe to ${name}` }));
  await waitFor(() => expect(readPath()).toMatch(/^\/subscribe\?plan=price_/));
});

it('lists invoices, with a PDF file of each and a CSV file of all', async () => {
  const account = await makeAccount();
  await subscribe(account);
  await openPage('/account/billing', account);
  const section = within(await screen.findByRole('region', { name: 'Invoices' }));
  await section.findByText(`${name} plan, monthly`);
  section.getByText('Paid');
  const load = async (link: RegExp | string) =>
    account.fetch(`${site.url}${section.getByRole('link', { name: link }).getAttribute('href')}`);
  const csv = await load('Download CSV');
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(await csv.text()).toContain(`${name} plan, monthly`);
  const pdf = await load(/^Download PDF of invoice /);
  expect(pdf.headers.get('content-type')).toContain('application/pdf');
});
