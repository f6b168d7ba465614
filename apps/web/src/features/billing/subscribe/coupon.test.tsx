import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { makeCoupon, makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { beforeEach, expect, it } from 'vitest';
import { holdNavigation } from '../../../../test/component/hold-navigation.ts';
import { db, fill, makeAccount, openPage, readPath } from '../../../../test/component/open-page.tsx';
import { payments, stubStripe } from '../../../../test/component/shop.ts';

const order = '/subscribe?plan=pro';
beforeEach(stubStripe);

const findButton = (name: string) => screen.findByRole('button', { name });
const findSection = async (name: string) => within(await screen.findByRole('region', { name }));

it('applies a code in the order, removes it, and names an unknown one', async () => {
  const { code } = await makeSyncedCoupon({ db, payments }, { percent: 50 });
  const user = await openPage(order, await makeAccount());
  await findButton('Pay $7.00');
  await user.click(await findButton('Add a promo code'));
  await fill(user, screen.getByLabelText('Promo code'), 'NO-SUCH-CODE');
  await user.click(await findButton('Apply'));
  await screen.findByText("This code doesn't exist. Check its spelling.");
  expect(screen.getByLabelText('Promo code')).toHaveValue('NO-SUCH-CODE');
  await fill(user, screen.getByLabelText('Promo code'), code.toLowerCase());
  await user.click(await findButton('Apply'));
  await screen.findByText(`${code}: 50% off one bill`);
  await findButton('Pay $3.50');
  await user.click(await findButton('Remove code'));
  await findButton('Pay $7.00');
});

it('names a code that cannot be used, keeps it in its field, and keeps the order as it was', async () => {
  holdNavigation();
  const account = await makeAccount();
  const user = await openPage(order, account);
  await user.click(await findButton('Add a promo code'));
  const field = screen.getByLabelText('Promo code');
  const codes: [change: Parameters<typeof makeCoupon>[1], sentence: string][] = [
    [{ expiresAt: new Date(0) }, 'This code has expired. Remove it or enter another code.'],
    [{ maxUses: 1, uses: 1 }, 'This code has reached its usage limit. Remove it to continue.'],
    [{ disabledAt: new Date() }, 'This code is no longer valid. Remove it or enter another code.'],
    [{ tiers: ['api_pro'] }, "This code isn't valid for this plan. Remove it, or choose another plan."],
  ];
  for (const [change, sentence] of codes) {
    const { code } = await makeCoupon(db, change);
    await fill(user, field, code);
    await user.click(await findButton('Apply'));
    await screen.findByText(sentence);
    expect(field).toHaveValue(code);
    await findButton('Pay $7.00');
  }
  await fill(user, field, '');
  await user.click(await findButton('Apply'));
  await screen.findByText('Enter a code.');
  // The page doesn't ask whether to leave: a typed code can be typed again.
  await fill(user, field, 'NOT-SENT');
  await user.click(screen.getAllByRole('link', { name: 'Pricing' })[0] as HTMLElement);
  await screen.findByRole('heading', { name: 'Plans' });
  expect(readPath()).toBe('/pricing');
});

it('removes a code of a link that cannot be used, and sells the plan without it', async () => {
  const { code } = await makeCoupon(db, { expiresAt: new Date(0) });
  await openPage(`${order}&coupon=${code}`, await makeAccount());
  const text = await screen.findByText('This code has expired. Remove it or enter another code.');
  expect(text.closest('li')).toHaveTextContent('Promo code not applied');
  await findButton('Pay $7.00');
  expect(readPath()).toBe(order);
});

it('keeps a code of a link through the sign-in, and uses it', async () => {
  const { code, id } = await makeSyncedCoupon({ db, payments }, { amount: 200 });
  await openPage(`/pricing?coupon=${code}`);
  await screen.findByText(`${code}: $2.00 off one bill`);
  const link = screen.getByRole('link', { name: `Choose ${currentPlans.pro.name}` }).getAttribute('href') ?? '';
  expect(link).toBe(`/auth?tab=sign-up&next=${encodeURIComponent(`${order}&coupon=${code}`)}`);
  await openPage(link, await makeAccount());
  await findButton('Pay $5.00');
  expect(readPath()).toBe(`${order}&coupon=${code}`);
  const coupon = db.selectFrom('coupons').select('uses').where('id', '=', id);
  expect(await coupon.executeTakeFirst()).toEqual({ uses: 1 });
});

it('buys a plan with a code for 100%, and keeps the card for the next bill', async () => {
  const assign = holdNavigation();
  const { code, id } = await makeSyncedCoupon({ db, payments }, { percent: 100 });
  const account = await makeAccount();
  const user = await openPage(`${order}&coupon=${code}`, account);
  const bill = await findSection('Order summary');
  await bill.findByText('-$7.00');
  expect(bill.getByText('Due today').parentElement).toHaveTextContent('$0.00');
  bill.getByText(/^\$7\.00 on /);
  const start = await findButton('Start subscription');
  await waitFor(() => expect(start).toBeEnabled());
  await user.click(start);
  await waitFor(() => expect(assign).toHaveBeenCalledOnce());
  await openPage(String(assign.mock.lastCall?.[0]), account);
  expect((await screen.findByText('You are now subscribed!')).closest('li')).toHaveTextContent('Payment Successful');
  await waitFor(() => expect(readPath()).toBe('/dashboard'));
  const buyer = db.selectFrom('users').select('tier').where('id', '=', account.user.id);
  expect(await buyer.executeTakeFirst()).toEqual({ tier: 'pro' });
  const uses = db.selectFrom('couponRedemptions').select('redeemedAt').where('couponId', '=', id);
  expect(await uses.execute()).toEqual([{ redeemedAt: expect.any(Date) }]);
  const paid = db
    .selectFrom('payments')
    .innerJoin('billingCustomers', 'stripeId', 'customerId')
    .select('id')
    .where('accountId', '=', account.user.id);
  expect(await paid.execute()).toEqual([]);
  await openPage('/account/billing', account);
  await (await findSection('Payment method')).findByText('Visa ending in 4242');
  (await findSection('Your plan')).getByText(/^\$7\.00 on /);
});
