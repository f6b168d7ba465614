import { randomUUID } from 'node:crypto';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it } from 'vitest';
import { email, security, setStepUp, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(() => gateway.ctx.db.deleteFrom('settings').execute());

const historyOf = async (name: string, query: { cursor?: number; limit?: number } = {}) =>
  (await admin.client.adminListSettingsVersions({ params: { name }, query })).data;
type Restore = { version: number; seen: number; smtpPassword?: string | null };
const restore = (name: string, body: Restore, { fetch: by }: SignedIn = admin) =>
  by(`${gateway.url}/api/admin/settings/${name}/restore`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify(body),
  });
const code = (response: Response) => [response.status, response.headers.get('x-error-code')];
const putSite = (values: object) => admin.client.putSiteSettings({ body: { ...site, ...values } });
const put = (path: string, body: object) =>
  admin.fetch(`${gateway.url}/api/admin/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify(body),
  });

describe('a settings write with the version that was seen', () => {
  it('returns settings_changed with the author and the time after another write, and changes nothing', async () => {
    const other = await signUpAdmin(gateway);
    const { version } = (await other.client.getSiteSettings()).data;
    await putSite({ siteName: 'Newer', version });
    const stale = await other.fetch(`${gateway.url}/api/admin/settings/site`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify({ ...site, siteName: 'Older', version }),
    });
    expect(await stale.json()).toMatchObject({
      status: 409,
      code: 'settings_changed',
      meta: { version: 1, by: admin.user.email, at: expect.stringMatching(/^20\d\d-/) },
    });
    expect((await admin.client.getSiteSettings()).data).toMatchObject({ siteName: 'Newer', version: 1 });
    expect(await historyOf('site')).toHaveLength(2);
  });

  it('succeeds for one of two concurrent writers', async () => {
    const { version } = (await admin.client.getSiteSettings()).data;
    const names = ['A', 'B'];
    const written = await Promise.all(names.map((siteName) => put('settings/site', { ...site, siteName, version })));
    expect(written.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('adds no version when nothing changes, even with an old version', async () => {
    await putSite({});
    expect((await putSite({ version: 0 })).data.version).toBe(1);
    expect(await historyOf('site')).toHaveLength(2);
  });
});

describe('the history', () => {
  it('lists authors and changes, the newest first, down to the initial values', async () => {
    await putSite({});
    await putSite({ siteName: 'Other', maintenanceMode: true });
    const author = { id: admin.user.id, email: admin.user.email };
    const [second, first, initial] = await historyOf('site');
    expect(second).toMatchObject({ version: 2, author, restoredFrom: null });
    expect(second?.changes).toEqual([
      { field: 'siteName', secret: false, before: 'Images', after: 'Other' },
      { field: 'maintenanceMode', secret: false, before: false, after: true },
    ]);
    expect(first).toMatchObject({ version: 1, author });
    expect(initial).toMatchObject({ version: 0, author: null, changes: [] });
  });

  it('is read page by page', async () => {
    for (const siteName of ['A', 'B', 'C']) await putSite({ siteName });
    const response = await admin.fetch(`${gateway.url}/api/admin/settings/site/history?limit=2`);
    expect(response.headers.get('x-total-count')).toBe('4');
    expect(response.headers.get('link')).toContain('cursor=2');
    const versions = [...(await historyOf('site', { limit: 2 })), ...(await historyOf('site', { cursor: 2 }))];
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1, 0]);
    expect(versions[1]?.changes).toContainEqual({ field: 'siteName', secret: false, before: 'A', after: 'B' });
  });

  it('names a changed secret without its value, in the database too', async () => {
    const secret = randomUUID();
    await admin.client.putEmailSettings({ body: email });
    await admin.client.putEmailSettings({ body: { ...email, smtpPassword: secret } });
    expect((await historyOf('email'))[0]?.changes).toEqual([{ field: 'smtpPassword', secret: true }]);
    const rows = await gateway.ctx.db.selectFrom('settingsVersions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows.every(({ value }) => !('smtpPassword' in value))).toBe(true);
  });

  it.each(['site', 'seo', 'email', 'security', 'billing'])(
    'of %s follows the permission of the settings',
    async (name) => {
      const viewer = await signUpAdmin(gateway, 'viewer');
      const response = await viewer.fetch(`${gateway.url}/api/admin/settings/${name}/history`);
      expect(code(response)).toEqual(name === 'security' ? [403, 'permission_missing'] : [200, null]);
    },
  );

  it('of an unknown name returns settings_version_not_found', async () => {
    const response = await admin.fetch(`${gateway.url}/api/admin/settings/toString/history`);
    expect(code(response)).toEqual([404, 'settings_version_not_found']);
  });
});

describe('a restore', () => {
  it('writes the values of a version again, as a new version', async () => {
    const first = (await admin.client.getSiteSettings()).data;
    await putSite({});
    expect(await (await restore('site', { version: 0, seen: 1 })).json()).toEqual({ version: 2 });
    expect((await admin.client.getSiteSettings()).data).toEqual({ ...first, version: 2 });
    expect((await historyOf('site'))[0]).toMatchObject({ version: 2, restoredFrom: 0 });
    const rows = await gateway.ctx.db.selectFrom('audits').select(['action', 'subject', 'before', 'after']).execute();
    expect(rows.at(-1)).toMatchObject({
      action: 'settings.restore',
      subject: 'settings:site',
      before: { version: 1 },
      after: { siteName: first.siteName, version: 0 },
    });
  });

  it('returns settings_changed after another write, and 404 for an unknown version', async () => {
    await putSite({});
    expect(code(await restore('site', { version: 0, seen: 0 }))).toEqual([409, 'settings_changed']);
    expect(code(await restore('site', { version: 9, seen: 1 }))).toEqual([404, 'settings_version_not_found']);
    expect(code(await restore('sites', { version: 0, seen: 1 }))).toEqual([404, 'settings_version_not_found']);
  });

  it('keeps the present SMTP password for the same server, and asks for it for another one', async () => {
    const stored = async () => (await admin.client.getEmailSettings()).data;
    await admin.client.putEmailSettings({ body: email });
    await admin.client.putEmailSettings({ body: { ...email, fromName: 'Other', smtpPassword: 'a new one' } });
    await restore('email', { version: 1, seen: 2 });
    expect(await stored()).toMatchObject({ fromName: 'Images', smtpPasswordSet: true });
    await admin.client.putEmailSettings({ body: { ...email, smtpHost: 'other.example' } });
    expect(code(await restore('email', { version: 1, seen: 3 }))).toEqual([422, 'invalid_parameter']);
    expect(await stored()).toMatchObject({ smtpHost: 'other.example', version: 4 });
    await restore('email', { version: 1, seen: 4, smtpPassword: 'entered again' });
    expect(await stored()).toMatchObject({ smtpHost: email.smtpHost, smtpPasswordSet: true });
    await restore('email', { version: 4, seen: 5, smtpPassword: null });
    expect(await stored()).toMatchObject({ smtpHost: 'other.example', smtpPasswordSet: false });
  });

  it('returns 422 for values that are no longer allowed', async () => {
    await upsertSettings(gateway.ctx.db, 'site', { ...site, defaultPlan: 'gold' });
    const value = JSON.stringify({ ...site, defaultPlan: 'gold' });
    await gateway.ctx.db.insertInto('settingsVersions').values({ name: 'site', version: 1, value }).execute();
    await putSite({});
    expect(code(await restore('site', { version: 1, seen: 2 }))).toEqual([422, 'invalid_parameter']);
  });

  it('requires what the write requires', async () => {
    await admin.client.putSecuritySettings({ body: { ...security, maxLoginAttempts: 9 } });
    await putSite({});
    const viewer = await signUpAdmin(gateway, 'viewer');
    expect(code(await restore('site', { version: 0, seen: 1 }, viewer))).toEqual([403, 'permission_missing']);
    const late = await signUpAdmin(gateway);
    await setStepUp(gateway.ctx.db, late, null);
    expect(code(await restore('security', { version: 0, seen: 1 }, late))).toEqual([403, 'step_up_required']);
    expect(code(await restore('site', { version: 0, seen: 1 }, late))).toEqual([200, null]);
  });
});

describe('the SMTP password', () => {
  it('is removed by null, and stays removed while the field is empty', async () => {
    await admin.client.putEmailSettings({ body: email });
    const removed = await admin.client.putEmailSettings({ body: { ...email, smtpPassword: null } });
    expect(removed.data.smtpPasswordSet).toBe(false);
    const other = await admin.client.putEmailSettings({ body: { ...email, smtpPassword: '', fromName: 'Other' } });
    expect(other.data).toMatchObject({ smtpPasswordSet: false, fromName: 'Other' });
    const audits = await gateway.ctx.db.selectFrom('audits').select('after').orderBy('createdAt').execute();
    expect(audits.map(({ after }) => after.smtpPassword)).toContain('removed');
  });
});
