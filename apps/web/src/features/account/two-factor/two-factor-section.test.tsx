import { screen, waitFor, within } from '@testing-library/react';
import { limits } from '@uprez/contracts/policy/limits';
import { totpCode } from '@uprez/testing/totp-code';
import { expect, it } from 'vitest';
import { db, fill, makeAccount, makeProtectedAccount, openPage } from '../../../../test/component/open-page.tsx';

const findSection = async () => within(await screen.findByRole('region', { name: 'Two-factor authentication' }));

it('requires a confirmed email address', async () => {
  await openPage('/account#two-factor', await makeAccount({ emailVerified: false }));
  const section = await findSection();
  await waitFor(() => expect(section.getByRole('heading')).toHaveFocus());
  section.getByText(/^Confirm your email address to turn on/);
  expect(section.queryByRole('button', { name: 'Turn on' })).toBeNull();
  section.getByRole('button', { name: 'Resend link' });
});

it('counts recovery codes down, and replaces them while it stays on', async () => {
  const { account, codes } = await makeProtectedAccount();
  const { email, password } = account;
  await account.client.login({ body: { email, password, code: codes[0] } });
  const user = await openPage('/account', account);
  const section = await findSection();
  await section.findByText(`9 of ${limits.recoveryCodes} recovery codes left`);
  await user.click(section.getByRole('button', { name: 'Create new codes' }));
  await fill(user, section.getByLabelText('Current password'), account.password);
  await fill(user, section.getByLabelText('Authenticator code or recovery code'), codes[1] ?? '');
  await user.click(section.getByRole('button', { name: 'Create new codes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
  dialog.getByText(/^Your previous codes no longer work\./);
  const created = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(created).toHaveLength(limits.recoveryCodes);
  expect(created).not.toContain(codes[2]);
  expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled();
  await user.click(dialog.getByLabelText("I've saved these codes"));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await section.findByText(`10 of ${limits.recoveryCodes} recovery codes left`);
  expect(section.getByRole('button', { name: 'Create new codes' })).toHaveFocus();
});

it('is turned off with a recovery code', async () => {
  const { account, codes } = await makeProtectedAccount();
  const user = await openPage('/account', account);
  const section = await findSection();
  await user.click(await section.findByRole('button', { name: 'Turn off' }));
  await fill(user, section.getByLabelText('Current password'), account.password);
  await fill(user, section.getByLabelText('Authenticator code or recovery code'), codes[0] ?? '');
  await user.click(section.getByRole('button', { name: 'Turn off' }));
  await screen.findByText('Two-factor authentication is off');
  expect(await section.findByRole('button', { name: 'Turn on' })).toHaveFocus();
  const { email, password } = account;
  expect((await account.client.login({ body: { email, password } })).data).toMatchObject({ email });
});

it('signs in with an authenticator code, and with a recovery code', async () => {
  const { account, secret, codes } = await makeProtectedAccount();
  for (const code of [totpCode(secret), codes[0] ?? '']) {
    // The code that turned it on may be used again.
    await db.updateTable('users').set({ twoFactorStep: 0 }).where('id', '=', account.user.id).execute();
    const user = await openPage('/auth');
    await fill(user, await screen.findByLabelText('Email'), account.email);
    await fill(user, screen.getByLabelText('Password'), account.password);
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await fill(user, await screen.findByLabelText('Authenticator code or recovery code'), code);
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await screen.findByText('Welcome, Ada');
  }
});
