import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { expect, it } from 'vitest';
import { intercept } from '../../../test/component/intercept.ts';
import { db, fill, makeAccount, openPage, readPath, site } from '../../../test/component/open-page.tsx';
import { payments } from '../../../test/component/shop.ts';

const findPlan = async (name: string) => within(await screen.findByRole('listitem', { name }));

it('shows all plans with the values of the plan table, and compares them', async () => {
  await openPage('/pricing');
  for (const { name, price } of Object.values(currentPlans)) (await findPlan(name)).getByText(`$${price}`);
  const row = await screen.findByRole('row', { name: /^Images per batch/ });
  const cells = within(row).getAllByRole('cell');
  const shown = Object.values(currentPlans).map(({ bulkFiles }) => String(bulkFiles));
  expect(cells).toHaveLength(shown.length);
  for (const [index, text] of shown.entries()) expect(cells[index]).toHaveTextContent(text);
  screen.getByRole('heading', { name: 'What counts as an image' });
});

it("marks the user's plan, and shows an error for a plan that is not configured", async () => {
  intercept(/^\/api\/plans$/, async (send) => {
    const cards = (await (await send()).json()) as PlanCard[];
    return Response.json(cards.map((card) => ({ ...card, priceId: null })));
  });
  const user = await openPage('/pricing', await makeAccount());
  const own = await findPlan(currentPlans.free.name);
  own.getByText('Your plan');
  expect(own.getByRole('button', { name: 'Current plan' })).toBeDisabled();
  expect(screen.getAllByText('Your plan')).toHaveLength(2);
  await user.click(await screen.findByRole('button', { name: `Choose ${currentPlans.pro.name}` }));
  await screen.findByText('Plan Not Available');
  await screen.findByText('This plan is not yet configured. Please contact support.');
  expect(readPath()).toBe('/pricing');
});

it('links the enterprise plan to the contact email address', async () => {
  const { contactEmail } = (await (await fetch(`${site.url}/api/site`)).json()) as { contactEmail: string };
  await openPage('/pricing');
  const { name } = currentPlans.enterprise;
  const link = await (await findPlan(name)).findByRole('link', { name: 'Contact sales' });
  expect(link.getAttribute('href')).toContain(`mailto:${contactEmail}?subject=${name}`);
});

it('shows an error when the plans fail to load, and retries', async () => {
  const recover = intercept(/^\/api\/plans$/, async () => new Response('broken', { status: 500 }));
  const user = await openPage('/pricing');
  const again = await screen.findByRole('button', { name: 'Try again' });
  recover();
  await user.click(again);
  await findPlan(currentPlans.pro.name);
});

it('applies a typed code, names an unknown one, and removes it', async () => {
  const { code } = await makeSyncedCoupon({ db, payments }, { percent: 50 });
  const user = await openPage('/pricing');
  await user.click(await screen.findByRole('button', { name: 'Add a promo code' }));
  const field = screen.getByLabelText('Promo code');
  await fill(user, field, 'NO-SUCH-CODE');
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByText("This code doesn't exist. Check its spelling.");
  expect(field).toHaveValue('NO-SUCH-CODE');
  expect(readPath()).toBe('/pricing');
  await fill(user, field, code.toLowerCase());
  await user.keyboard('{Enter}');
  await screen.findByText(`${code}: 50% off one bill`);
  expect(readPath()).toBe(`/pricing?coupon=${code}`);
  const link = await screen.findByRole('link', { name: `Choose ${currentPlans.pro.name}` });
  const leadsTo = (path: string) => {
    const next = encodeURIComponent(`/subscribe?plan=pro${path}`);
    expect(link).toHaveAttribute('href', `/auth?tab=sign-up&next=${next}`);
  };
  leadsTo(`&coupon=${code}`);
  await user.click(screen.getByRole('button', { name: 'Remove code' }));
  await waitFor(() => expect(readPath()).toBe('/pricing'));
  leadsTo('');
});

it('leads visitors who choose a yearly plan to its purchase', async () => {
  const yearly = { price: 69.5, priceId: 'pro_year' };
  intercept(/^\/api\/plans$/, async (send) => {
    const cards = (await (await send()).json()) as PlanCard[];
    return Response.json(cards.map((card) => (card.key === 'pro' ? { ...card, yearly } : card)));
  });
  const user = await openPage('/pricing');
  await user.click(await screen.findByRole('radio', { name: 'Yearly' }));
  const plan = await findPlan(currentPlans.pro.name);
  await plan.findByText('$69.50');
  const next = encodeURIComponent('/subscribe?plan=pro&interval=year');
  expect(plan.getByRole('link', { name: `Choose ${currentPlans.pro.name}` })).toHaveAttribute(
    'href',
    `/auth?tab=sign-up&next=${next}`,
  );
});

it('sends an inquiry about the enterprise plan', async () => {
  const email = `${randomUUID()}@engine.example`;
  const user = await openPage('/pricing');
  await user.click(await screen.findByRole('button', { name: 'Send a message' }));
  const title = `Ask about ${currentPlans.enterprise.name}`;
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('button', { name: 'Send message' }));
  await dialog.findByText('Message is required');
  await fill(user, dialog.getByLabelText('Name'), 'Ada');
  await fill(user, dialog.getByLabelText('Email'), email);
  await fill(user, dialog.getByLabelText('Message'), 'We need more.');
  await user.click(dialog.getByRole('button', { name: 'Send message' }));
  await screen.findByText('Message sent');
  const leads = db.selectFrom('leads').select(['name', 'message']).where('email', '=', email);
  expect(await leads.execute()).toEqual([{ name: 'Ada', message: 'We need more.' }]);
});
