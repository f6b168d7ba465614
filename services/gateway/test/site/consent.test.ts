import type { SeoSettings } from '@uprez/contracts/schemas/admin/settings';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { seo, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

const put = (values: Partial<SeoSettings>) => admin.client.putSeoSettings({ body: { ...seo, ...values } });
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html', ...headers } });
  const policy = response.headers.get('content-security-policy') ?? '';
  return { response, policy, text: await response.text() };
};
const ids = { googleAnalyticsId: 'G-AB12CD34EF', googleTagManagerId: 'GTM-AB12CD3' };

describe('analytics of Google', () => {
  it('leave no trace in pages while no ID is set', async () => {
    await put({});
    const { policy, text } = await get('/');
    expect(text).not.toMatch(/consent|google/i);
    expect(policy).not.toMatch(/google/);
  });

  it.each(['/', '/pricing'])('add the consent script and their hosts to %s while an ID is set', async (path) => {
    await put(ids);
    const { policy, text } = await get(path);
    expect(text).toContain('data-analytics="G-AB12CD34EF" data-tag-manager="GTM-AB12CD3"');
    expect(text).not.toContain('googletagmanager');
    expect(policy).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
    expect(policy).toMatch(/connect-src [^;]*https:\/\/\*\.google-analytics\.com/);
    expect(/script-src [^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe|\s\*|https:(\s|$)/);
    expect(policy).not.toMatch(/frame-src/);
  });

  it.each([
    '/auth',
    '/reset-password?token=secret',
    '/dashboard',
    '/admin',
    '/subscribe',
    '/nothing',
    '/on-this-device',
  ])('are never added to %s', async (path) => {
    await put(ids);
    const { policy, text } = await get(path);
    expect(text).not.toMatch(/consent|G-AB12/);
    expect(policy).not.toMatch(/google/);
  });

  it('are not added for browsers that send Sec-GPC', async () => {
    await put(ids);
    const { policy, text, response } = await get('/pricing', { 'sec-gpc': '1' });
    expect(text).not.toMatch(/consent|G-AB12/);
    expect(policy).not.toMatch(/google/);
    expect(response.headers.get('vary')).toContain('sec-gpc');
    const other = await get('/pricing', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(other.response.status).toBe(200);
    expect(other.text).toContain('data-consent');
  });
});
