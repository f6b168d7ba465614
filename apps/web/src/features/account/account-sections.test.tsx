import { screen, waitFor, within } from '@testing-library/react';
import { limits } from '@uprez/contracts/policy/limits';
import { makePlanCard } from '@uprez/contracts/policy/plans/plan-cards';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { intercept, makeProblem } from '../../../test/component/intercept.ts';
import { db, fill, makeAccount, openPage, site } from '../../../test/component/open-page.tsx';

const findSection = async (name: string) => within(await screen.findByRole('region', { name }));
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';

it('says whether the confirmation link was sent, or when it can be sent again', async () => {
  const account = await makeAccount({ emailVerified: false });
  const ageMails = (seconds: number) =>
    db
      .updateTable('outbox')
      .set({ createdAt: new Date(Date.now() - seconds * 1_000) })
      .where('userId', '=', account.user.id)
      .execute();
  await ageMails(20);
  const user = await openPage('/account', account);
  const section = await findSection('Email address');
  section.getByText(account.email);
  section.getByText('Not confirmed');
  await user.click(section.getByRole('button', { name: 'Resend link' }));
  await screen.findByText(/^We already sent a link to .+ You can request another one in \d\d seconds\.$/);
  await ageMails(90);
  const button = await section.findByRole('button', { name: 'Resend link' });
  // While a request is pending, clicks are ignored.
  await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled', 'true'));
  await user.click(button);
  await screen.findByText('Check your email');
  await screen.findByText(`We sent a link to ${account.email}. It expires in 24 hours.`);
});

it('notices when the window gets the focus that the email address was confirmed elsewhere', async () => {
  const account = await makeAccount({ emailVerified: false });
  await openPage('/account', account);
  const section = await findSection('Email address');
  section.getByText('Not confirmed');
  await db.updateTable('users').set({ emailVerified: true }).where('id', '=', account.user.id).execute();
  window.dispatchEvent(new Event('visibilitychange'));
  await section.findByText('Confirmed');
});

it('saves the name and updates the greeting, and keeps an invalid name with an error', async () => {
  const account = await makeAccount();
  const user = await openPage('/account', account);
  const profile = await findSection('Profile');
  const field = profile.getByLabelText(/^First name/i);
  expect(profile.queryByText('Unsaved changes')).toBeNull();
  await fill(user, field, 'a'.repeat(limits.nameLength + 1));
  profile.getByText('Unsaved changes');
  await user.click(profile.getByRole('button', { name: 'Save' }));
  await profile.findByText(`Name can't be longer than ${limits.nameLength} characters.`);
  expect(field).toHaveValue('a'.repeat(limits.nameLength + 1));
  expect(field).toHaveFocus();
  await fill(user, field, ' Admiral ');
  await fill(user, profile.getByLabelText(/^Last name/i), 'Hopper');
  await user.click(profile.getByRole('button', { name: 'Save' }));
  await screen.findByText('Welcome, Admiral');
  await waitFor(() => expect(profile.queryByText('Unsaved changes')).toBeNull());
  const saved = db.selectFrom('users').select(['firstName', 'lastName']).where('id', '=', account.user.id);
  expect(await saved.executeTakeFirst()).toEqual({ firstName: 'Admiral', lastName: 'Hopper' });
});

it('turns emails about the quota off and about long batches on, and keeps the choices', async () => {
  const account = await makeAccount();
  const user = await openPage('/account', account);
  const section = await findSection('Email address');
  const quota = section.getByLabelText('Email me when I reach 80% and 100% of my quota');
  const batch = section.getByLabelText('Email me when a batch that takes more than 10 minutes is done');
  expect(quota).toBeChecked();
  expect(batch).not.toBeChecked();
  await user.click(quota);
  await user.click(batch);
  const saved = db.selectFrom('users').select(['quotaEmails', 'batchEmails']).where('id', '=', account.user.id);
  await waitFor(async () => expect(await saved.executeTakeFirst()).toEqual({ quotaEmails: false, batchEmails: true }));
  await waitFor(() => expect(quota).not.toBeChecked());
  await waitFor(() => expect(batch).toBeChecked());
});

it('shows the plan, its usage, and a link to all plans', async () => {
  await openPage('/account', await makeAccount());
  const plan = await findSection('Plan and usage');
  await plan.findByText(currentPlans.free.name);
  for (const [label, text] of [
    ['AI images', `0 of ${currentPlans.free.included.ai}`],
    ['Standard images', `0 of ${currentPlans.free.included.standard}`],
  ] as const)
    expect(await plan.findByRole('meter', { name: label })).toHaveAttribute('aria-valuetext', text);
  expect(plan.getAllByText(/^Resets /)[0]).toBeVisible();
  const { features, limitations } = makePlanCard('free');
  for (const sentence of [...features, ...limitations]) plan.getByText(sentence);
  expect(plan.getByRole('link', { name: 'Compare plans' })).toHaveAttribute('href', '/pricing');
});

it('signs out another device', async () => {
  const account = await makeAccount();
  const { email, password } = account;
  const signedIn = await fetch(`${site.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': phone },
    body: JSON.stringify({ email, password }),
  });
  expect(signedIn.status).toBe(200);
  const user = await openPage('/account', account);
  const section = await findSection('Devices');
  const devices = () => section.getAllByRole('listitem');
  await section.findByText('Safari on iPhone');
  expect(devices().filter(({ textContent }) => textContent.includes('This device'))).toHaveLength(1);
  section.getByRole('button', { name: 'Sign out Safari on iPhone' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(section.queryByText('Safari on iPhone')).toBeNull());
  expect(devices()).toHaveLength(1);
  await waitFor(() =>
    expect(document.activeElement).toContainElement(section.getByRole('list', { name: 'Signed-in devices' })),
  );
  expect(document.body).not.toHaveFocus();
});

it('shows one maintenance error without buttons that would fail', async () => {
  const sentence = 'The service is down for maintenance. Try again later.';
  const reopen = intercept(/^\/api\/(sessions|user\/export)$/, async () => makeProblem(503, 'maintenance', sentence));
  const user = await openPage('/account', await makeAccount());
  await screen.findByText(sentence);
  expect(screen.getAllByText(sentence)).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Sign out everywhere' })).toBeNull();
  reopen();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Sign out everywhere' });
});
