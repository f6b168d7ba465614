import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { chooseOption, confirmIdentity, press, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import {
  choose,
  db,
  fill,
  makeAccount,
  makeAdmin,
  makeProtectedAccount,
  openPage,
} from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

const admin = fileFixture(makeAdmin);

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
const findDialog = (name: string | RegExp) => screen.findByRole('dialog', { name });
const waitForNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function openUser({ user }: SignedIn, by = admin): Promise<UserEvent> {
  const acting = await openPage(`/admin/users/${user.id}`, by);
  await screen.findByRole('tab', { name: 'Overview' });
  return acting;
}

/** Chooses an action, gives a reason, and submits it. */
async function confirm(user: UserEvent, [action, title, submit]: [string, string, string]): Promise<void> {
  await choose(user, 'Actions', action);
  const dialog = await findDialog(title);
  await fill(user, within(dialog).getByLabelText('Reason'), 'they asked');
  await press(user, submit, dialog);
}

const readActions = async ({ user }: SignedIn) =>
  (
    await db
      .selectFrom('audits')
      .select('action')
      .where('accountId', '=', user.id)
      .where('reason', '=', 'they asked')
      .orderBy('createdAt')
      .execute()
  ).map(({ action }) => action);

it('sets a plan until a day, and keeps what was typed when another administrator was faster', async () => {
  const account = await makeAccount();
  const careful = await makeAdmin('owner', { isConfirmed: false });
  const user = await openUser(account, careful);
  await choose(user, 'Actions', 'Change plan');
  const dialog = await findDialog('Change the plan of Ada');
  const plan = within(dialog);
  plan.getByText('Current plan: Free.');
  await chooseOption(user, 'Plan', 'API Pro');
  await fill(user, plan.getByLabelText(/^Last day/), '2020-01-01');
  await fill(user, plan.getByLabelText('Reason'), 'a gift');
  await press(user, 'Change plan', dialog);
  await plan.findByText('Choose a date in the future.');
  await fill(user, plan.getByLabelText(/^Last day/), inAWeek());
  const paid = { tier: 'pro', overrideTier: 'pro' } as const;
  await db.updateTable('users').set(paid).where('id', '=', account.user.id).execute();
  await press(user, 'Change plan', dialog);
  await confirmIdentity(user, careful);
  await plan.findByText('This user was changed in the meantime. Check the current values and try again.');
  await plan.findByText('Current plan: Pro.');
  expect(plan.getByLabelText('Reason')).toHaveValue('a gift');
  expect(plan.getByLabelText(/^Last day/)).toHaveValue(inAWeek());
  await press(user, 'Change plan', dialog);
  await screen.findByText('Plan changed');
  await screen.findByText('a gift');
  expect(screen.getAllByText('API Pro')).not.toHaveLength(0);
  await choose(user, 'Actions', 'Change plan');
  await chooseOption(user, 'Plan', 'Enterprise');
  const next = await findDialog('Change the plan of Ada');
  await fill(user, within(next).getByLabelText('Reason'), 'a larger gift');
  await press(user, 'Change plan', next);
  await screen.findByText('a larger gift');
  const row = db.selectFrom('users').select('overrideUntil').where('id', '=', account.user.id);
  expect((await row.executeTakeFirstOrThrow()).overrideUntil?.toISOString()).toBe(`${inAWeek()}T23:59:59.999Z`);
});

it('warns about a live subscription to another plan', async () => {
  const account = await makeAccount();
  await subscribe(account);
  const user = await openUser(account);
  await screen.findByRole('link', { name: /\. Active\. / });
  await choose(user, 'Actions', 'Change plan');
  const dialog = await findDialog(/^Change the plan/);
  await chooseOption(user, 'Plan', 'Enterprise');
  await within(dialog).findByText(/^This user has a live subscription to .* Stripe continues to bill it/);
  await press(user, 'Cancel', dialog);
  await waitForNoDialog();
  await user.click(screen.getByRole('tab', { name: 'Payments' }));
  await waitForRows(2);
});

it('grants credits', async () => {
  const user = await openUser(await makeAccount());
  await choose(user, 'Actions', 'Grant credits');
  const dialog = await findDialog('Grant credits to Ada');
  await fill(user, within(dialog).getByLabelText('Credits'), '25');
  await chooseOption(user, 'For', 'Standard images');
  await fill(user, within(dialog).getByLabelText('Reason'), 'sorry for the wait');
  await press(user, 'Grant credits', dialog);
  await screen.findByText('25 standard images granted');
  await user.click(screen.getByRole('tab', { name: 'Ledger' }));
  await screen.findByText(/sorry for the wait/);
});

it('gives a role', async () => {
  const user = await openUser(await makeAccount());
  await choose(user, 'Actions', 'Change role');
  const dialog = await findDialog('Change the role of Ada');
  within(dialog).getByText('Current role: No role. A role gives access to the back office.');
  await chooseOption(user, 'Role', 'Support');
  await fill(user, within(dialog).getByLabelText('Reason'), 'hired');
  await press(user, 'Change role', dialog);
  await screen.findByText('Role changed');
  await user.click(screen.getByRole('tab', { name: 'Audit' }));
  await screen.findByRole('cell', { name: 'Change role' });
});

it('sends the confirmation again, but not within a minute', async () => {
  const account = await makeAccount({ emailVerified: false });
  await db.deleteFrom('outbox').where('userId', '=', account.user.id).execute();
  const user = await openUser(account);
  const title = 'Resend the confirmation email to Ada';
  await confirm(user, ['Resend confirmation email', title, 'Send email']);
  await screen.findByText('Confirmation email queued');
  await confirm(user, ['Resend confirmation email', title, 'Send email']);
  await screen.findByText('This user was sent a link less than a minute ago. Try again later.');
  expect(await readActions(account)).toEqual(['user.verification']);
});

it('turns off two-factor, signs out, suspends, and restores', async () => {
  const { account } = await makeProtectedAccount();
  await db.updateTable('sessions').set({ steppedUpAt: null }).where('userId', '=', admin.user.id).execute();
  const user = await openUser(account);
  await confirm(user, ['Turn off two-factor', 'Turn off two-factor authentication of Ada', 'Turn off']);
  await confirmIdentity(user, admin);
  await screen.findByText('Two-factor authentication turned off');
  await confirm(user, ['Sign out everywhere', 'Sign out Ada everywhere', 'Sign out everywhere']);
  await screen.findByText('Signed out everywhere');
  await confirm(user, ['Suspend', 'Suspend Ada', 'Suspend user']);
  await screen.findByText('User suspended');
  await screen.findByText(/^Suspended since/);
  await confirm(user, ['Restore', 'Restore Ada', 'Restore user']);
  await screen.findByText('User restored');
  await press(user, 'Actions');
  expect(textsOf(await screen.findAllByRole('menuitem'))).toEqual([
    'Change plan',
    'Grant credits',
    'Change role',
    'Sign out everywhere',
    'Suspend',
  ]);
  // Turning off two-factor authentication ended all sessions, so signing out changed nothing.
  expect(await readActions(account)).toEqual(['user.two_factor_off', 'user.suspend', 'user.restore']);
});

it('hides what a viewer may not do, and masks the email', async () => {
  const account = await makeAccount();
  const lastName = randomUUID();
  await db.updateTable('users').set({ lastName }).where('id', '=', account.user.id).execute();
  const viewer = await makeAdmin('viewer');
  await openPage(`/admin/users?search=${lastName}`, viewer);
  await waitForRows(1);
  screen.getByText(`${account.email[0]}***@***.test`);
  for (const hidden of [account.email, 'Suspend', 'Add User']) expect(screen.queryByText(hidden)).toBeNull();
  await openUser(account, viewer);
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
  const tabs = ['Overview', 'History', 'Jobs', 'Ledger', 'Devices', 'Payments'];
  expect(textsOf(screen.getAllByRole('tab'))).toEqual(tabs);
  const user = await openPage('/admin/users/new', viewer);
  await screen.findByRole('heading', { level: 1, name: 'Access Denied' });
  await user.click(screen.getByRole('link', { name: 'Go to the dashboard' }));
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
});

it('says when a grant exceeds the limit of a role', async () => {
  const user = await openUser(await makeAccount(), await makeAdmin('support'));
  await press(user, 'Actions');
  expect(textsOf(await screen.findAllByRole('menuitem'))).toEqual(['Grant credits']);
  await user.click(screen.getByRole('menuitem', { name: 'Grant credits' }));
  const dialog = await findDialog('Grant credits to Ada');
  const grant = within(dialog);
  grant.getByText('Your role can grant 100 credits per day (UTC).');
  await fill(user, grant.getByLabelText('Credits'), '101');
  await fill(user, grant.getByLabelText('Reason'), 'sorry');
  await press(user, 'Grant credits', dialog);
  await grant.findByText(/You can grant 100 more today\./);
  expect(grant.getByLabelText('Reason')).toHaveValue('sorry');
});
