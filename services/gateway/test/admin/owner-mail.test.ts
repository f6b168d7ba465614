import { afterSeconds } from '@uprez/db/times';
import { hashLinkToken } from '@uprez/domain/mails/account-token';
import { fileFixture } from '@uprez/testing/fixtures';
import { listMails, openMailCatcher } from '@uprez/testing/mail';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { email, mailServerOf, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const catcher = fileFixture(() => openMailCatcher());
const calls = openAccountCalls(gateway);
const owner = fileFixture(() => signUpAdmin(gateway));
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));
const codeOf = (response: Response) => [response.status, response.headers.get('x-error-code')];
const missing = expect.objectContaining({ status: 403, code: 'permission_missing' });

const passwords = { next: 0 };
const reset = async (user: SignedIn, { token, by }: { token?: string; by?: SignedIn } = {}) => {
  passwords.next += 1;
  const body = { token: token ?? (await calls.linkTo(user, 'reset')), newPassword: `battery staple ${passwords.next}` };
  return by ? calls.postAs(by, '/api/reset-password', body) : calls.post('/api/reset-password', body);
};
/** Makes it look as if an account had written the email settings. */
const setAuthor = (actorId: string | null) =>
  gateway.ctx.db.updateTable('settingsVersions').set({ actorId }).where('name', '=', 'email').execute();

beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('settings').where('name', '=', 'email').execute();
  await gateway.ctx.db.deleteFrom('settingsVersions').where('name', '=', 'email').execute();
});

it('lets only owners write, restore, and try email settings, and admins read them', async () => {
  await owner.client.putEmailSettings({ body: email });
  await expect(admin.client.putEmailSettings({ body: email })).rejects.toEqual(missing);
  await expect(admin.client.adminSendTestMail({ body: email })).rejects.toEqual(missing);
  const restore = { params: { name: 'email' }, body: { version: 0, seen: 1 } };
  await expect(admin.client.adminRestoreSettings(restore)).rejects.toEqual(missing);
  expect((await admin.client.getEmailSettings()).data).toMatchObject({ smtpHost: email.smtpHost, smtpPassword: '' });
});

describe('while an administrator with a lower role wrote the email settings last', () => {
  const held = [403, 'link_held'];
  beforeEach(async () => {
    await owner.client.putEmailSettings({ body: email });
    await setAuthor(admin.user.id);
  });

  it('holds the reset of an owner until a session of the owner confirms it', async () => {
    const target = await signUpAdmin(gateway);
    const token = await calls.linkTo(target, 'reset');
    expect(codeOf(await reset(target, { token }))).toEqual(held);
    expect(codeOf(await reset(target, { token, by: admin }))).toEqual(held);
    expect((await calls.signIn(target)).status).toBe(200);
    expect((await reset(target, { token, by: target })).status).toBe(200);
  });

  it('resets the passwords of roles that are not above, and of users', async () => {
    for (const user of [
      await signUpAdmin(gateway, 'admin'),
      await signUpAdmin(gateway, 'viewer'),
      await gateway.signUp(),
    ])
      expect((await reset(user)).status).toBe(200);
  });

  it('holds resets of all roles if the account that wrote them was suspended or deleted', async () => {
    const [viewer, user] = [await signUpAdmin(gateway, 'viewer'), await gateway.signUp()];
    const left = await signUpAdmin(gateway);
    await setAuthor(left.user.id);
    await calls.change(left, { suspendedAt: new Date() });
    expect(codeOf(await reset(viewer))).toEqual(held);
    await setAuthor(null);
    expect(codeOf(await reset(viewer))).toEqual(held);
    expect((await reset(user)).status).toBe(200);
  });

  it('holds invitations with a role above', async () => {
    const accept = async (role: 'owner' | 'admin' | null) => {
      const token = `invitation of ${role}`;
      const row = { tokenHash: hashLinkToken(token), expiresAt: afterSeconds(600), invitedBy: owner.user.id };
      const invited = { id: crypto.randomUUID(), email: freshEmail(), role, ...row };
      await gateway.ctx.db.insertInto('invitations').values(invited).execute();
      return codeOf(await calls.post('/api/invitations/accept', { token, password: 'a longer battery staple' }));
    };
    expect(await accept('owner')).toEqual(held);
    expect((await accept('admin'))[0]).toBe(201);
    expect((await accept(null))[0]).toBe(201);
  });

  it('is over when an owner saves them again, which revokes the links of administrators', async () => {
    const [target, user] = [await signUpAdmin(gateway), await gateway.signUp()];
    const [token, ofUser] = [await calls.linkTo(target, 'reset'), await calls.linkTo(user, 'reset')];
    const { version } = (await owner.client.putEmailSettings({ body: email })).data;
    expect(version).toBe(2);
    expect(codeOf(await reset(target, { token }))).toEqual([400, 'invalid_token']);
    expect((await reset(user, { token: ofUser })).status).toBe(200);
    expect((await reset(target)).status).toBe(200);
    expect((await owner.client.putEmailSettings({ body: email })).data.version).toBe(2);
  });
});

it('revokes the links of administrators only if the mail server or the sender changes', async () => {
  await owner.client.putEmailSettings({ body: email });
  const target = await signUpAdmin(gateway);
  const token = await calls.linkTo(target, 'reset');
  await owner.client.putEmailSettings({ body: { ...email, welcomeEmailEnabled: !email.welcomeEmailEnabled } });
  expect((await reset(target, { token })).status).toBe(200);
  const later = await calls.linkTo(target, 'reset');
  await owner.client.putEmailSettings({ body: { ...email, fromName: 'Another sender' } });
  expect(codeOf(await reset(target, { token: later }))).toEqual([400, 'invalid_token']);
});

describe('a change of the mail server', () => {
  const working = () => mailServerOf(catcher);
  const notices = async (user: SignedIn) =>
    (await listMails(catcher.url, user.email)).filter(({ subject }) => subject.includes('settings'));

  it('is announced to the owners through the present server first, and to nobody else', async () => {
    const other = await signUpAdmin(gateway);
    for (const one of [owner, other, admin]) await calls.change(one, { emailVerified: true });
    await owner.client.putEmailSettings({ body: working() });
    expect(await notices(other)).toEqual([]);
    await owner.client.putEmailSettings({ body: { ...working(), welcomeEmailEnabled: false } });
    expect(await notices(other)).toEqual([]);
    const stale = owner.client.putEmailSettings({ body: { ...working(), smtpPort: 9, version: 0 } });
    await expect(stale).rejects.toMatchObject({ code: 'settings_changed' });
    const foreign = owner.client.putEmailSettings({ body: { ...working(), smtpPort: 9, smtpPassword: '' } });
    await expect(foreign).rejects.toMatchObject({ param: 'smtpPassword' });
    expect(await notices(other)).toEqual([]);
    await owner.client.putEmailSettings({ body: { ...working(), smtpPort: 9 } });
    const [notice] = await notices(other);
    expect(notice?.subject).toBe('The email settings of Uprez are changing');
    expect(await notices(owner)).toHaveLength(1);
    expect(await notices(admin)).toEqual([]);
  });

  it('takes effect although the present server does not answer', async () => {
    await calls.change(owner, { emailVerified: true });
    await owner.client.putEmailSettings({ body: { ...working(), smtpPort: 9 } });
    const { data } = await owner.client.putEmailSettings({ body: working() });
    expect(data).toMatchObject({ smtpPort: working().smtpPort, version: 2 });
  });
});
