import { randomUUID } from 'node:crypto';
import type { SecuritySettings, SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { openVault } from '@uprez/domain/vault';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, describe, expect, it } from 'vitest';
import { email, security, seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';

const vaultSecret = 'a vault secret for settings that is long enough';
const gateway = fileFixture(() => startTestGateway({ VAULT_SECRET: vaultSecret }));
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(async () => {
  await putSite();
  await putSecurity();
});

const putSite = (values: Partial<SiteSettings> = {}) => admin.client.putSiteSettings({ body: { ...site, ...values } });
const putSecurity = (values: Partial<SecuritySettings> = {}) =>
  admin.client.putSecuritySettings({ body: { ...security, ...values } });
const stored = async (name: 'email') =>
  (await gateway.ctx.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value;
const anonymous = makeCheckedFetch(fetch);
const send = (path: string, body: unknown, { by = anonymous, method = 'POST' } = {}) =>
  by(`${gateway.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const code = (response: Response) => [response.status, response.headers.get('x-error-code')];
const register = (values: object = {}) =>
  send('/api/register', { email: `${randomUUID()}@example.test`, password: 'correct horse', ...values });
const signIn = ({ email: login }: SignedIn, password = 'correct horse') =>
  send('/api/login', { email: login, password });

describe('initial settings', () => {
  it('come from the environment or are the documented defaults', async () => {
    await gateway.ctx.db.deleteFrom('settings').execute();
    expect((await admin.client.getSiteSettings()).data).toEqual({
      siteName: 'Uprez',
      siteDescription: expect.any(String),
      siteUrl: `http://${publicHost}`,
      contactEmail: `support@${publicHost}`,
      supportEmail: `support@${publicHost}`,
      maintenanceMode: false,
      allowRegistration: true,
      defaultPlan: 'free',
      supportHours: '',
      company: '',
      companyAddress: '',
      ...{ governingLaw: '', liability: '', legalBasis: '', processors: '' },
      engineHourCosts: {},
      version: 0,
    });
    expect((await admin.client.getEmailSettings()).data).toEqual({
      smtpHost: '',
      smtpPort: 587,
      smtpUser: '',
      smtpPassword: '',
      smtpPasswordSet: false,
      smtpSecure: true,
      fromEmail: `no-reply@${publicHost}`,
      fromName: 'Uprez',
      welcomeEmailEnabled: true,
      notificationEmailEnabled: true,
      version: 0,
    });
    expect((await admin.client.getSecuritySettings()).data).toEqual({ ...security, version: 0 });
  });
});

describe('a settings write', () => {
  it('returns the new settings, which can be sent back unchanged', async () => {
    expect((await putSite({ siteName: 'Other' })).data).toEqual({
      ...site,
      siteName: 'Other',
      version: expect.any(Number),
    });
    const shown = (await admin.client.getSiteSettings()).data;
    expect((await admin.client.putSiteSettings({ body: shown })).data).toEqual(shown);
    const safe = (await putSecurity({ maxLoginAttempts: 9 })).data;
    expect((await admin.client.putSecuritySettings({ body: safe })).data).toEqual(safe);
    await admin.client.putEmailSettings({ body: email });
    const mail = (await admin.client.getEmailSettings()).data;
    expect((await admin.client.putEmailSettings({ body: mail })).data).toEqual(mail);
  });

  it('keeps the facts about the owner if the request has only the specified fields', async () => {
    const {
      supportHours: _,
      company: __,
      companyAddress: ___,
      governingLaw: ____,
      engineHourCosts: _____,
      ...rest
    } = site;
    expect((await admin.client.putSiteSettings({ body: { ...rest, siteName: 'Other' } })).data).toMatchObject({
      ...site,
      siteName: 'Other',
    });
  });

  it('stores the SEO settings, with defaults for absent fields', async () => {
    expect((await admin.client.putSeoSettings({ body: seo })).data).toMatchObject(seo);
    const { metaTitle, metaDescription } = seo;
    const { data } = await admin.client.putSeoSettings({ body: { metaTitle, metaDescription } });
    expect(data).toMatchObject({ twitterCard: 'summary_large_image', ogTitle: '', ogImage: '' });
  });

  it.each([
    ['settings/site', { ...site, siteName: ' ' }, ['siteName', 'Site name is required']],
    ['settings/site', { ...site, siteDescription: '' }, ['siteDescription', 'Site description is required']],
    ['settings/site', { ...site, siteUrl: 'images' }, ['siteUrl', 'Must be a valid URL']],
    ['settings/site', { ...site, siteUrl: 'javascript:alert(1)' }, ['siteUrl', 'Must be a valid URL']],
    ['settings/site', { ...site, contactEmail: 'nobody' }, ['contactEmail', 'Must be a valid email']],
    ['settings/site', { ...site, supportEmail: '' }, ['supportEmail', 'Must be a valid email']],
    ['settings/site', { ...site, defaultPlan: 'gold' }, ['defaultPlan', undefined]],
    ['settings/site', { ...site, maintenanceMode: undefined }, ['maintenanceMode', undefined]],
    ['settings/site', { ...site, siteName: 'a\u0000' }, ['siteName', undefined]],
    ['settings/site', { ...site, siteName: 'a\ud800' }, ['siteName', undefined]],
    ['settings/site', { ...site, siteName: '\u200b' }, ['siteName', 'Site name is required']],
    ['settings/site', { ...site, siteDescription: '\udc00a' }, ['siteDescription', undefined]],
    ['settings/site', { ...site, engineHourCosts: { photo: -1 } }, ['engineHourCosts/photo', undefined]],
    ['settings/site', { ...site, engineHourCosts: { plain: 1 } }, ['engineHourCosts', undefined]],
    ['settings/seo', { ...seo, metaTitle: '' }, ['metaTitle', 'Meta title is required']],
    ['settings/seo', { ...seo, metaDescription: ' ' }, ['metaDescription', 'Meta description is required']],
    ['settings/seo', { ...seo, ogImage: 'card.png' }, ['ogImage', 'Must be a valid URL']],
    ['settings/seo', { ...seo, ogImage: 'javascript:alert(1)' }, ['ogImage', 'Must be a valid URL']],
    ['settings/seo', { ...seo, googleAnalyticsId: "G-1'</script>" }, ['googleAnalyticsId', undefined]],
    ['settings/seo', { ...seo, googleTagManagerId: 'gtm-abcd' }, ['googleTagManagerId', undefined]],
    ['settings/email', { ...email, fromName: '\ud800' }, ['fromName', undefined]],
    ['settings/email', { ...email, smtpHost: '' }, ['smtpHost', 'SMTP host is required']],
    ['settings/email', { ...email, smtpPort: 0 }, ['smtpPort', 'SMTP port is required']],
    ['settings/email', { ...email, smtpPort: 'x' }, ['smtpPort', 'SMTP port is required']],
    ['settings/email', { ...email, smtpPort: '0x1F' }, ['smtpPort', 'SMTP port is required']],
    ['settings/email', { ...email, smtpPort: [3483] }, ['smtpPort', 'SMTP port is required']],
    ['settings/email', { ...email, smtpUser: '' }, ['smtpUser', 'SMTP user is required']],
    ['settings/email', { ...email, fromEmail: 'x' }, ['fromEmail', 'Must be a valid email']],
    ['settings/email', { ...email, fromName: '' }, ['fromName', 'From name is required']],
    ['settings/email', { ...email, fromName: 'a\r\nBcc: all@x.test' }, ['fromName', undefined]],
    ['security/settings', { ...security, sessionTimeout: 1 }, ['sessionTimeout', undefined]],
    ['security/settings', { ...security, minPasswordLength: 5 }, ['minPasswordLength', undefined]],
    ['security/settings', { ...security, maxLoginAttempts: 1.5 }, ['maxLoginAttempts', undefined]],
    ['security/settings', { ...security, allowedOrigins: ['https://x.test/'] }, ['allowedOrigins/0', undefined]],
    ['security/settings', { ...security, allowedOrigins: ['*'] }, ['allowedOrigins/0', undefined]],
  ])('to %s returns 422 for %j', (path, body, [param, sentence]) => expectRejected({ path, body, param, sentence }));

  it.each([
    ['settings/site', 'siteName', 'Site name is required'],
    ['settings/site', 'siteDescription', 'Site description is required'],
    ['settings/site', 'siteUrl', 'Must be a valid URL'],
    ['settings/site', 'contactEmail', 'Must be a valid email'],
    ['settings/site', 'supportEmail', 'Must be a valid email'],
    ['settings/seo', 'metaTitle', 'Meta title is required'],
    ['settings/seo', 'metaDescription', 'Meta description is required'],
    ['settings/email', 'smtpHost', 'SMTP host is required'],
    ['settings/email', 'smtpPort', 'SMTP port is required'],
    ['settings/email', 'smtpUser', 'SMTP user is required'],
    ['settings/email', 'fromEmail', 'Must be a valid email'],
    ['settings/email', 'fromName', 'From name is required'],
  ])('to %s returns 422 when %s is absent or null', async (path, param, sentence) => {
    const form = { 'settings/site': site, 'settings/seo': seo }[path] ?? email;
    for (const value of [undefined, null])
      await expectRejected({ path, body: { ...form, [param]: value }, param, sentence });
  });

  type Rejected = { path: string; body: object } & Record<'param' | 'sentence', string | undefined>;
  const expectRejected = async ({ path, body, param, sentence }: Rejected) => {
    const response = await admin.fetch(`${gateway.url}/api/admin/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify(body),
    });
    const problem = await response.json();
    expect(problem).toMatchObject({ status: 422, code: 'invalid_parameter', param });
    if (sentence) expect(problem).toMatchObject({ detail: sentence });
    else expect(problem).not.toMatchObject({ detail: expect.stringMatching(/^(Invalid|Too|Unrecognized)/) });
  };

  it('is serialized: the audit rows of two writers form a chain', async () => {
    const other = await signUpAdmin(gateway);
    const changes = gateway.ctx.db.selectFrom('audits').selectAll().where('rejected', 'is', null);
    const before = (await changes.execute()).length;
    const name = (i: number) => ({ body: { ...site, siteName: `Site ${i}` } });
    const clients = [admin.client, other.client];
    await Promise.all(Array.from({ length: 10 }, (_, i) => clients[i % 2]?.putSiteSettings(name(i))));
    const trail = await changes.offset(before).execute();
    const was = trail.map((row) => row.before.siteName).sort();
    const is = trail.map((row) => row.after.siteName).sort();
    const last = (await admin.client.getSiteSettings()).data.siteName;
    expect(trail).toHaveLength(10);
    expect([...was, last].sort()).toEqual([site.siteName, ...is].sort());
  });

  it('applies immediately in this gateway and within 1 s in others', async () => {
    const other = await startTestGateway({ DATABASE_URL: gateway.ctx.databaseUrl });
    const at = (url: string) =>
      fetch(`${url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${randomUUID()}@example.test`, password: 'correct horse' }),
      });
    expect((await at(other.url)).status).toBe(201);
    await putSite({ allowRegistration: false });
    expect((await at(gateway.url)).status).toBe(403);
    await waitUntil(async () => (await at(other.url)).status === 403);
    await other.close();
  });
});

describe('the SMTP password', () => {
  const put = (values: object) =>
    send('/api/admin/settings/email', { ...email, ...values }, { by: admin.fetch, method: 'PUT' });
  beforeEach(async () => {
    await gateway.ctx.db.deleteFrom('settings').where('name', '=', 'email').execute();
  });

  it('is required while none is stored', async () => {
    for (const smtpPassword of ['', undefined]) {
      const response = await put({ smtpPassword });
      expect(code(response)).toEqual([422, 'invalid_parameter']);
      expect(await response.text()).toBe('SMTP password is required');
    }
    expect(await stored('email')).toBeUndefined();
  });

  it('is not required again after null, also when none was stored', async () => {
    expect((await put({ smtpPassword: null })).status).toBe(200);
    expect((await put({ smtpPassword: '', smtpHost: 'relay.example' })).status).toBe(200);
    expect(await stored('email')).toMatchObject({ smtpHost: 'relay.example', smtpPassword: '' });
    await put({ smtpPassword: '', smtpHost: 'relay.example', fromName: 'Other' });
    expect((await admin.client.getEmailSettings()).data).toMatchObject({ fromName: 'Other', smtpPasswordSet: false });
  });

  it('is stored encrypted and never returned', async () => {
    const answer = await (await put({})).text();
    const shown = await (await admin.fetch(`${gateway.url}/api/admin/settings/email`)).text();
    for (const text of [answer, shown, JSON.stringify(await stored('email'))])
      expect(text).not.toContain(email.smtpPassword);
    expect(JSON.parse(shown)).toMatchObject({ smtpPassword: '', smtpPasswordSet: true });
    const sealed = String((await stored('email'))?.smtpPassword);
    expect(openVault(vaultSecret).unseal(sealed, smtpPurpose)).toBe(email.smtpPassword);
  });

  it('is kept when the field is empty, and replaced otherwise', async () => {
    await put({});
    const first = (await stored('email'))?.smtpPassword;
    await put({ smtpPassword: '', fromName: 'Other' });
    expect(await stored('email')).toMatchObject({ smtpPassword: first, fromName: 'Other' });
    // An attacker with an administrator's session could otherwise have the password sent to another server.
    for (const other of [
      { smtpHost: 'other.example' },
      { smtpUser: 'other' },
      { smtpPort: 2526 },
      { smtpSecure: !email.smtpSecure },
    ])
      expect((await put({ smtpPassword: '', ...other })).status, JSON.stringify(other)).toBe(422);
    expect(await stored('email')).toMatchObject({ smtpPassword: first });
    await put({ smtpPassword: 'a new one' });
    const sealed = String((await stored('email'))?.smtpPassword);
    expect(openVault(vaultSecret).unseal(sealed, smtpPurpose)).toBe('a new one');
  });

  it('is shown as lost when it was encrypted with another key', async () => {
    await put({});
    const foreign = openVault('the vault secret of another installation').seal('x', smtpPurpose);
    const value = JSON.stringify({ ...(await stored('email')), smtpPassword: foreign });
    await gateway.ctx.db.updateTable('settings').set({ value }).where('name', '=', 'email').execute();
    expect((await admin.client.getEmailSettings()).data).toMatchObject({
      smtpPasswordSet: false,
      smtpPasswordLost: true,
      smtpHost: email.smtpHost,
    });
    expect((await put({ smtpPassword: '' })).status).toBe(422);
    for (const smtpPassword of [null, '']) expect((await put({ smtpPassword })).status).toBe(200);
    const rows = gateway.ctx.db.selectFrom('audits').select(['before', 'after']).where('action', '=', 'settings.email');
    expect((await rows.execute()).at(-1)).toEqual({
      before: { smtpPassword: 'not set' },
      after: { smtpPassword: 'removed' },
    });
    expect((await put({})).status).toBe(200);
  });

  it('from the environment is used initially and not stored', async () => {
    const other = await startTestGateway({
      SMTP_HOST: 'env.example',
      SMTP_USER: 'u',
      SMTP_PASSWORD: 'of the environment',
    });
    const { client } = await signUpAdmin(other);
    const { data } = await client.getEmailSettings();
    expect(data).toMatchObject({ smtpHost: 'env.example', smtpPassword: '', smtpPasswordSet: true });
    expect((await client.putEmailSettings({ body: { ...data, fromName: 'Other' } })).data.smtpPasswordSet).toBe(true);
    const row = await other.ctx.db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'email')
      .executeTakeFirst();
    expect(row?.value).toMatchObject({ fromName: 'Other' });
    expect(row?.value).not.toHaveProperty('smtpPassword');
    await other.close();
  });
});

describe('a setting', () => {
  it('closes registration', async () => {
    await putSite({ allowRegistration: false });
    expect(code(await register())).toEqual([403, 'registration_closed']);
    await putSite();
    expect((await register()).status).toBe(201);
  });

  it('sets the plan of new accounts', async () => {
    await putSite({ defaultPlan: 'pro' });
    expect(await (await register()).json()).toMatchObject({ subscriptionTier: 'pro' });
  });

  it('sets the minimum length of new passwords, and existing ones still work', async () => {
    const user = await gateway.signUp();
    await putSecurity({ minPasswordLength: 20 });
    expect(code(await register())).toEqual([422, 'password_too_short']);
    expect((await register({ password: 'a longer password for it' })).status).toBe(201);
    expect((await signIn(user)).status).toBe(200);
  });

  it('ends sessions that were idle for longer', async () => {
    const [idle, busy] = [await gateway.signUp(), await gateway.signUp()];
    const seen = new Date(Date.now() - 30 * 60_000);
    await gateway.ctx.db.updateTable('sessions').set({ lastSeenAt: seen }).where('userId', '=', idle.user.id).execute();
    await putSecurity({ sessionTimeout: 20 });
    expect((await idle.fetch(`${gateway.url}/api/user`)).status).toBe(401);
    expect((await busy.fetch(`${gateway.url}/api/user`)).status).toBe(200);
  });

  it('sets the number of login attempts and the lockout duration', async () => {
    await putSecurity({ maxLoginAttempts: 3, lockoutDuration: 2 });
    const user = await gateway.signUp();
    const answers: (string | null)[] = [];
    for (let i = 0; i < 4; i += 1) answers.push((await signIn(user, 'a wrong one')).headers.get('x-error-code'));
    expect(answers).toEqual(['bad_credentials', 'bad_credentials', 'bad_credentials', 'too_many_attempts']);
    const refused = await signIn(user);
    expect(code(refused)).toEqual([429, 'too_many_attempts']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(60);
    expect(wait).toBeLessThanOrEqual(120);
  });

  it('requires two-factor sign-in of administrators', async () => {
    const other = await signUpAdmin(gateway);
    // Who doesn't use it would be locked out, too.
    await expect(putSecurity({ requireTwoFactor: true })).rejects.toMatchObject({
      ...{ status: 403, code: 'admin_two_factor', param: 'requireTwoFactor' },
    });
    expect((await admin.client.getSecuritySettings()).data.requireTwoFactor).toBe(false);
    const setOwn = (twoFactorAt: Date) =>
      gateway.ctx.db.updateTable('users').set({ twoFactorAt }).where('id', '=', admin.user.id).execute();
    await setOwn(new Date());
    await putSecurity({ requireTwoFactor: true });
    const stats = () => other.fetch(`${gateway.url}/api/admin/stats`);
    expect(code(await stats())).toEqual([403, 'admin_two_factor']);
    expect((await other.client.user()).status).toBe(200);
    const now = { twoFactorAt: new Date() };
    for (const { user } of [other, admin])
      await gateway.ctx.db.updateTable('users').set(now).where('id', '=', user.id).execute();
    expect((await stats()).status).toBe(200);
  });
});
