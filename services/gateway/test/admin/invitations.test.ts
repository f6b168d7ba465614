import { randomUUID } from 'node:crypto';
import { type Role, roles } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { lockUsers } from '@uprez/db/queries/accounts/admin-users';
import { deleteOldInvitations } from '@uprez/db/queries/accounts/invitations';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { afterSeconds, now } from '@uprez/db/times';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { fileFixture } from '@uprez/testing/fixtures';
import { findMailLink, listMails, openMailCatcher } from '@uprez/testing/mail';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshEmail } from '../support/accounts/accounts.ts';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openBrowser } from '../support/accounts/open-browser.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const catcher = fileFixture(() => openMailCatcher());
const owner = fileFixture(() => signUpAdmin(gateway));
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));
const password = 'a long enough password';
const publicUrl = 'https://images.example';

beforeEach(async () => {
  const { db, vault, settings } = gateway.ctx;
  const { SMTP_HOST: smtpHost, SMTP_PORT, SMTP_USER: smtpUser, SMTP_PASSWORD } = catcher.env;
  const smtpPassword = vault.seal(SMTP_PASSWORD, smtpPurpose);
  const server = { smtpHost, smtpPort: Number(SMTP_PORT), smtpUser, smtpPassword, smtpSecure: false };
  await upsertSettings(db, 'email', server);
  settings.forget('email');
});

const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const invite = async (email: string, role: Role | null = 'support', by = owner) =>
  (await by.client.adminInviteUser({ body: { email, role } })).data;
/** Sends due emails until this many are delivered to an address. Returns the newest. */
const waitForMails = (email: string, count = 1) =>
  waitUntil(
    async () => {
      await makeMailSender(gateway.ctx, publicUrl)();
      const mails = await listMails(catcher.url, email);
      return mails.length >= count && mails[0];
    },
    { what: 'the email of the invitation' },
  );
const tokenFor = async (email: string, count?: number): Promise<string> =>
  findMailLink(await waitForMails(email, count)).searchParams.get('token') ?? '';
const accept = (token: string, more: object = {}) =>
  openBrowser(gateway.url).call('POST', '/api/invitations/accept', { token, password, acceptTerms: true, ...more });
const open = (token: string) => openBrowser(gateway.url).call('POST', '/api/invitations/open', { token });
const trailOf = (id: string) =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('subject', '=', `invitation:${id}`)
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .execute();
/** Makes an invitation this old. */
const age = (id: string, seconds: number) =>
  gateway.ctx.db
    .updateTable('invitations')
    .set({ sentAt: afterSeconds(-seconds), expiresAt: afterSeconds(7 * 86_400 - seconds) })
    .where('id', '=', id)
    .execute();

describe('during maintenance', () => {
  it('only invitations of administrators can be opened and accepted', async () => {
    const [team, member] = [freshEmail(), freshEmail()];
    await invite(team, 'support');
    await invite(member, null);
    const tokens = { team: await tokenFor(team), member: await tokenFor(member) };
    const { data: site } = await owner.client.getSiteSettings();
    await owner.client.putSiteSettings({ body: { ...site, maintenanceMode: true, version: undefined } });
    expect(await open(tokens.member)).toEqual(fails(503, 'maintenance'));
    expect(await accept(tokens.member)).toEqual(fails(503, 'maintenance'));
    expect(await open(tokens.team)).toMatchObject({ status: 200 });
    expect(await accept(tokens.team)).toMatchObject({ status: 201, body: { role: 'support' } });
    await owner.client.putSiteSettings({ body: { ...site, maintenanceMode: false, version: undefined } });
    expect(await accept(tokens.member)).toMatchObject({ status: 201 });
  });
});

describe('an invitation', () => {
  it('creates a signed-in account with its role and a confirmed email address while registration is closed', async () => {
    const email = freshEmail();
    const { id } = await invite(email, 'support');
    const mail = await waitForMails(email);
    expect(mail.subject).toBe("You're invited to the Uprez team");
    const link = findMailLink(mail);
    expect(link.origin + link.pathname).toBe(`${publicUrl}/invitation`);
    const token = link.searchParams.get('token') ?? '';
    expect(await open(token)).toMatchObject({ status: 200, body: { email, role: 'support' } });
    const { data: site } = await owner.client.getSiteSettings();
    await owner.client.putSiteSettings({ body: { ...site, allowRegistration: false } });
    const browser = openBrowser(gateway.url);
    const body = { token, password, firstName: 'Ada', acceptTerms: true };
    const { status, body: user } = await browser.call('POST', '/api/invitations/accept', body);
    expect([status, user]).toEqual([
      201,
      expect.objectContaining({ email, role: 'support', isAdmin: true, emailVerified: true, firstName: 'Ada' }),
    ]);
    await owner.client.putSiteSettings({ body: { ...site, version: undefined } });
    expect((await browser.call('GET', '/api/admin/users')).status).toBe(200);
    expect((await browser.call('GET', '/api/admin/settings/site')).code).toBe('permission_missing');
    expect((await openBrowser(gateway.url).call('POST', '/api/login', { email, password })).status).toBe(200);
    expect((await owner.client.adminListInvitations()).data.map((row) => row.id)).not.toContain(id);
    const accepted = gateway.ctx.db
      .selectFrom('audits')
      .selectAll()
      .where('actorId', '=', (user as User).id);
    expect(await accepted.execute()).toMatchObject([{ action: 'invitation.accept', after: { role: 'support' } }]);
  });

  it('can be for a user without a role', async () => {
    const email = freshEmail();
    await invite(email, null);
    const { body } = await accept(await tokenFor(email));
    expect(body).toMatchObject({ email, role: null, isAdmin: false, permissions: [] });
  });

  it('works once, also for concurrent requests, and is stored as a hash', async () => {
    const email = freshEmail();
    const { id } = await invite(email);
    const token = await tokenFor(email);
    const row = await gateway.ctx.db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.tokenHash?.length).toBe(32);
    expect(JSON.stringify(await gateway.ctx.db.selectFrom('outbox').selectAll().execute())).not.toContain(token);
    const tries = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    for (const { code, status } of tries) if (status === 400) expect(code).toBe('invalid_token');
    expect(await open(token)).toMatchObject({ status: 400, code: 'invalid_token' });
  });

  it('keeps its link after a password that is too short', async () => {
    const email = freshEmail();
    await invite(email);
    const token = await tokenFor(email);
    expect(await accept(token, { password: 'short' })).toMatchObject({ status: 422, code: 'password_too_short' });
    expect((await accept(token, { acceptTerms: false })).code).toBe('invalid_parameter');
    expect((await accept(token, { role: 'owner' })).code).toBe('invalid_parameter');
    expect(await accept(token)).toMatchObject({ status: 201, body: { role: 'support' } });
  });

  it('expires, and can be sent again with a new link that replaces the old one', async () => {
    const email = freshEmail();
    const { id } = await invite(email);
    const first = await tokenFor(email);
    await expect(owner.client.adminResendInvitation({ params: { id } })).rejects.toEqual(fails(429, 'rate_limited'));
    await age(id, 8 * 86_400);
    expect((await accept(first)).code).toBe('invalid_token');
    const { data } = await owner.client.adminResendInvitation({ params: { id } });
    expect(Date.parse(data.expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    const second = await tokenFor(email, 2);
    expect(second).not.toBe(first);
    expect((await accept(first)).code).toBe('invalid_token');
    expect((await accept(second)).status).toBe(201);
    expect((await trailOf(id)).map(({ action }) => action)).toEqual(['invitation.create', 'invitation.resend']);
  });

  it('is revoked with its link and its waiting email', async () => {
    const [sent, waiting] = [freshEmail(), freshEmail()];
    const { id } = await invite(sent);
    const token = await tokenFor(sent);
    await owner.client.adminRevokeInvitation({ params: { id } });
    expect((await accept(token)).code).toBe('invalid_token');
    const other = await invite(waiting);
    await owner.client.adminRevokeInvitation({ params: { id: other.id } });
    // Emails are sent in order.
    const later = freshEmail();
    await invite(later);
    await waitForMails(later);
    expect(await listMails(catcher.url, waiting)).toEqual([]);
    expect(await trailOf(id)).toMatchObject([
      { action: 'invitation.create', before: { invitation: null }, after: { invitation: { role: 'support' } } },
      { action: 'invitation.revoke', before: { invitation: { role: 'support' } }, after: { invitation: null } },
    ]);
    for (const missing of [id, randomUUID(), 'no uuid'])
      await expect(owner.client.adminRevokeInvitation({ params: { id: missing } })).rejects.toEqual(
        fails(404, 'invitation_not_found'),
      );
  });

  it('returns email_taken for an account, also one that was created meanwhile, and changes nothing', async () => {
    const user = await gateway.signUp();
    await expect(invite(user.email.toUpperCase())).rejects.toEqual(fails(409, 'email_taken'));
    const email = freshEmail();
    const { id } = await invite(email);
    const token = await tokenFor(email);
    await openBrowser(gateway.url).call('POST', '/api/register', { email, password });
    expect(await accept(token)).toMatchObject({ status: 409, code: 'email_taken' });
    const row = gateway.ctx.db.selectFrom('users').select('role').where('email', '=', email);
    expect(await row.execute()).toEqual([{ role: null }]);
    expect((await owner.client.adminListInvitations()).data.map((one) => one.id)).toContain(id);
  });

  it('exists once per email address, whatever its case', async () => {
    const email = freshEmail();
    const both = await Promise.allSettled([invite(email), invite(email.toUpperCase())]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const one of both) if (one.status === 'rejected') expect(one.reason).toEqual(fails(409, 'invitation_exists'));
  });

  it('leaves one waiting email when it is sent again, and none when it is revoked', async () => {
    const { id } = await invite(freshEmail());
    const waiting = async () =>
      (await gateway.ctx.db.selectFrom('outbox').select('payload').where('sentAt', 'is', null).execute()).filter(
        ({ payload }) => payload.id === id,
      ).length;
    await age(id, 61);
    await owner.client.adminResendInvitation({ params: { id } });
    expect(await waiting()).toBe(1);
    await owner.client.adminRevokeInvitation({ params: { id } });
    expect(await waiting()).toBe(0);
  });

  it('names who can change it when it exists with a role and the administrator cannot invite with one', async () => {
    const [withRole, without] = [freshEmail(), freshEmail()];
    await invite(withRole, 'viewer');
    await invite(without, null);
    const failure = (email: string) => invite(email, null, admin).catch((error: Error) => error);
    expect(await failure(withRole)).toMatchObject({
      code: 'invitation_exists',
      message: expect.stringMatching(/an owner/),
    });
    expect(await failure(without)).toMatchObject({
      code: 'invitation_exists',
      message: expect.stringMatching(/ Resend or revoke that invitation\.$/),
    });
  });

  it.each(roles)('with the role %s is not created, sent again, or revoked by an admin', async (role) => {
    const missing = fails(403, 'permission_missing');
    const email = freshEmail();
    await expect(invite(email, role, admin)).rejects.toEqual(missing);
    const { id } = await invite(email, role);
    await age(id, 61);
    await expect(admin.client.adminResendInvitation({ params: { id } })).rejects.toEqual(missing);
    await expect(admin.client.adminRevokeInvitation({ params: { id } })).rejects.toEqual(missing);
    expect((await trailOf(id)).map(({ action }) => action)).toEqual(['invitation.create']);
  });

  it('without a role is created, sent again, and revoked by an admin', async () => {
    const { id, ...created } = await invite(freshEmail(), null, admin);
    expect(created).toMatchObject({ role: null, invitedBy: admin.email });
    await age(id, 61);
    expect((await admin.client.adminResendInvitation({ params: { id } })).status).toBe(200);
    expect((await admin.client.adminRevokeInvitation({ params: { id } })).status).toBe(204);
  });

  it.each<[string, object]>([
    ['lost the role', { role: null }],
    ['is an admin now, who cannot give roles', { role: 'admin' }],
    ['was suspended', { suspendedAt: now }],
    ['is about to be deleted', { deletesAt: afterSeconds(3_600) }],
  ])('is invalid once its sender %s, and valid again when another administrator sends it', async (_case, values) => {
    const { db } = gateway.ctx;
    const sender = await signUpAdmin(gateway);
    const email = freshEmail();
    const { id } = await invite(email, 'admin', sender);
    const token = await tokenFor(email);
    await db.updateTable('users').set(values).where('id', '=', sender.user.id).execute();
    expect(await accept(token)).toMatchObject({ status: 400, code: 'invalid_token' });
    await age(id, 61);
    await owner.client.adminResendInvitation({ params: { id } });
    expect(await accept(await tokenFor(email, 2))).toMatchObject({ status: 201 });
  });

  it('without a role stays valid when its sender becomes an admin, and not when they become support', async () => {
    const { db } = gateway.ctx;
    const sender = await signUpAdmin(gateway);
    const setSenderRole = (role: Role) =>
      db.updateTable('users').set({ role }).where('id', '=', sender.user.id).execute();
    const email = freshEmail();
    await invite(email, null, sender);
    const token = await tokenFor(email);
    await setSenderRole('support');
    expect((await accept(token)).code).toBe('invalid_token');
    await setSenderRole('admin');
    expect((await accept(token)).status).toBe(201);
  });

  it('is sent to an email address three times per hour, also if it is revoked in between', async () => {
    const email = freshEmail();
    for (let sent = 0; sent < 3; sent += 1) {
      const { id } = await invite(email);
      await owner.client.adminRevokeInvitation({ params: { id } });
    }
    await expect(invite(email)).rejects.toEqual(fails(429, 'rate_limited'));
    await expect(invite(freshEmail())).resolves.toMatchObject({ role: 'support' });
  });

  it('locks its sender before itself when it is accepted, as changes of it do', async () => {
    const email = freshEmail();
    const { id } = await invite(email);
    const token = await tokenFor(email);
    const accepted = await gateway.ctx.db.transaction().execute(async (tx) => {
      await lockUsers(tx, [owner.user.id]);
      const accepting = accept(token);
      await waitUntil(async () => (await countLockWaiters(gateway.ctx.db)) > 0);
      const locked = tx.selectFrom('invitations').select('id').where('id', '=', id).forUpdate().skipLocked();
      expect(await locked.execute()).toEqual([{ id }]);
      return { accepting };
    });
    expect((await accepted.accepting).status).toBe(201);
  });

  it('is invalid when its sender loses the role while it is accepted', async () => {
    const sender = await signUpAdmin(gateway);
    const email = freshEmail();
    await invite(email, 'admin', sender);
    const token = await tokenFor(email);
    const { accepting } = await gateway.ctx.db.transaction().execute(async (tx) => {
      await lockUsers(tx, [sender.user.id]);
      const accepting = accept(token);
      await waitUntil(async () => (await countLockWaiters(gateway.ctx.db)) > 0);
      await tx.updateTable('users').set({ role: null }).where('id', '=', sender.user.id).execute();
      return { accepting };
    });
    expect(await accepting).toMatchObject({ status: 400, code: 'invalid_token' });
    const accounts = gateway.ctx.db.selectFrom('users').select('id').where('email', '=', email);
    expect(await accounts.execute()).toEqual([]);
  });

  it('is either accepted or revoked when both happen at once', async () => {
    const outcomes: string[] = [];
    for (const email of [freshEmail(), freshEmail(), freshEmail()]) {
      const { id } = await invite(email);
      const token = await tokenFor(email);
      const revoke = owner.client.adminRevokeInvitation({ params: { id } }).catch((error) => error);
      const [accepted, revoked] = await Promise.all([accept(token), revoke]);
      outcomes.push(`${accepted.status} ${revoked.status}`);
      const accounts = gateway.ctx.db.selectFrom('users').select('role').where('email', '=', email);
      expect(await accounts.execute()).toEqual(accepted.status === 201 ? [{ role: 'support' }] : []);
    }
    for (const outcome of outcomes) expect(['201 404', '400 204']).toContain(outcome);
  });

  it('is deleted 30 days after it expired', async () => {
    const { id } = await invite(freshEmail());
    const exists = async () =>
      (await gateway.ctx.db.selectFrom('invitations').select('id').where('id', '=', id).execute()).length === 1;
    await age(id, 8 * 86_400);
    await deleteOldInvitations(gateway.ctx.db, 30 * 86_400);
    expect(await exists()).toBe(true);
    await age(id, 38 * 86_400);
    await deleteOldInvitations(gateway.ctx.db, 30 * 86_400);
    expect(await exists()).toBe(false);
  });
});
