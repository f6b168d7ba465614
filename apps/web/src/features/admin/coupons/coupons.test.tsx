import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { expect, it } from 'vitest';
import { chooseOption, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { choose, db, fill, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

const makeCode = () => `T-${randomUUID().slice(0, 8).toUpperCase()}`;
const findDialog = () => screen.findByRole('dialog', { name: 'Create Coupon' });

async function openDialog() {
  const user = await openPage('/admin/payments/coupons', await makeAdmin());
  await screen.findByRole('heading', { level: 1, name: 'Coupons' });
  const [button] = await screen.findAllByRole('button', { name: 'Create Coupon' });
  await user.click(button as HTMLElement);
  const dialog = await findDialog();
  return { user, dialog, fields: within(dialog), submit: () => press(user, 'Create Coupon', dialog) };
}

it('names what is missing, and creates a coupon of 10 percent by default', async () => {
  const code = makeCode();
  const { user, fields, submit } = await openDialog();
  expect(fields.getByRole('radio', { name: 'Percentage' })).toBeChecked();
  expect(fields.getByLabelText('Discount (%)')).toHaveValue(10);
  await fill(user, fields.getByLabelText('Code'), 'ab');
  await fill(user, fields.getByLabelText('Discount (%)'), '0');
  await submit();
  for (const error of [
    'Code must be at least 3 characters',
    'Discount value must be greater than 0',
    'Description is required',
  ])
    await fields.findByText(error);
  await fill(user, fields.getByLabelText('Code'), code.toLowerCase());
  await fill(user, fields.getByLabelText('Discount (%)'), '10');
  await fill(user, fields.getByLabelText('Description'), 'Launch week');
  await submit();
  await screen.findByText('Coupon created successfully');
  const row = await findRow(code);
  expect(row).toHaveTextContent('10% off one bill');
  expect(row).toHaveTextContent('Syncing with Stripe');
});

it('creates a fixed discount for months with limits, and names a code that is taken', async () => {
  const [{ code: taken }, code] = [await makeCoupon(db), makeCode()];
  const { user, fields, submit } = await openDialog();
  await fill(user, fields.getByLabelText('Code'), taken);
  await user.click(fields.getByRole('radio', { name: 'Fixed amount' }));
  await fill(user, fields.getByLabelText('Discount (USD)'), '2.5');
  await fill(user, fields.getByLabelText('Description'), 'For API users');
  await chooseOption(user, 'Applies to', 'A number of months');
  await fill(user, fields.getByLabelText(/^Maximum uses/), '5');
  await user.click(fields.getByRole('checkbox', { name: 'API Pro' }));
  await submit();
  await fields.findByText('A coupon with this code already exists. Choose another code.');
  await fill(user, fields.getByLabelText('Code'), code);
  await submit();
  const row = await findRow(code);
  for (const text of ['$2.50 off for 3 months', '0 of 5', 'API Pro']) expect(row).toHaveTextContent(text);
});

it('shows one error when the server fails', async () => {
  const { user, dialog, fields, submit } = await openDialog();
  await fill(user, fields.getByLabelText('Code'), 'NEVER');
  await fill(user, fields.getByLabelText('Description'), 'Never');
  intercept(/\/api\/admin\/payments\/coupons$/, async () => new Response('Down', { status: 500 }));
  await submit();
  await fields.findByText('Failed to create coupon');
  expect(screen.getAllByText('Failed to create coupon')).toHaveLength(1);
  expect(fields.getByLabelText('Code')).toHaveValue('NEVER');
  await user.keyboard('{Escape}');
  expect(dialog).toBeVisible();
  await press(user, 'Cancel', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('disables a coupon, shows its uses, and filters by search and status', async () => {
  const description = `Launch of ${randomUUID()}`;
  const { code } = await makeCoupon(db, { description });
  // The search hides it: two rows are those that were searched for.
  await makeCoupon(db);
  await makeCoupon(db, { description, code: makeCode(), expiresAt: new Date(0) });
  const user = await openPage('/admin/payments/coupons', await makeAdmin());
  await fill(user, await screen.findByRole('searchbox', { name: 'Search by code or description' }), description);
  await waitForRows(2);
  await choose(user, `Actions for ${code}`, 'Disable coupon');
  await screen.findByText('Coupon disabled');
  await waitFor(async () => expect(await findRow(code)).toHaveTextContent('Disabled'));
  await choose(user, `Actions for ${code}`, 'Show uses');
  await screen.findByText('Not used yet');
  await user.keyboard('{Escape}');
  await chooseOption(user, 'Status', 'Expired');
  await waitForRows(1);
  const expired = await findRow(description);
  expect(expired).toHaveTextContent('Expired');
  // The last day on which it could be used.
  expect(expired).toHaveTextContent('After Dec 31, 1969');
});
