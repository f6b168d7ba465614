import { randomUUID } from 'node:crypto';
import { screen, waitFor } from '@testing-library/react';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { expect, it } from 'vitest';
import { chooseOption, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { db, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';

/** Makes coupons that searches find by their description. */
async function makeCoupons(count: number): Promise<string> {
  const description = randomUUID();
  for (let index = 0; index < count; index += 1) await makeCoupon(db, { description });
  return description;
}
/** Small screens have another one than the header. */
const selectAll = () => screen.getAllByRole('checkbox', { name: 'Select all rows' })[0] as HTMLElement;

it('loads more rows, and selects rows by key and all at once', async () => {
  const description = await makeCoupons(27);
  const user = await openPage(`/admin/payments/coupons?rows=25&search=${description}`, await makeAdmin());
  await waitForRows(25);
  await user.keyboard('jx');
  await screen.findByText('1 selected');
  await user.keyboard('x');
  await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  await press(user, 'Load more');
  await waitForRows(27);
  await screen.findByText('27 of 27');
  await user.click(selectAll());
  await screen.findByText('27 selected');
  await user.click(selectAll());
  await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  await press(user, 'View');
  await user.click(await screen.findByRole('radio', { name: '100' }));
  await waitFor(() => expect(readPath()).toContain('rows=100'));
  await waitForRows(27);
});

it('sorts without the header of the table', async () => {
  const description = await makeCoupons(2);
  const { code } = await makeCoupon(db, { description, createdAt: new Date(0) });
  const user = await openPage(`/admin/payments/coupons?search=${description}`, await makeAdmin());
  await waitForRows(3);
  await press(user, 'View');
  await chooseOption(user, 'Sort by', 'Created, ascending');
  await waitFor(() => expect(readPath()).toContain('sort=created'));
  await waitFor(() => expect(document.querySelector('tbody tr')).toHaveTextContent(code));
});
