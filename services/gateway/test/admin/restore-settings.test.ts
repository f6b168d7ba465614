import { routes } from '@uprez/contracts/endpoints/routes';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { changingBodies, email, security, seo, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(async () => {
  const owner = await signUpAdmin(gateway);
  // The loop requires two-factor authentication of administrators, too.
  const now = { twoFactorAt: new Date() };
  await gateway.ctx.db.updateTable('users').set(now).where('id', '=', owner.user.id).execute();
  return owner;
});

type Values = Record<string, unknown>;
const send = async (method: string, path: string, body?: object): Promise<Values> => {
  const response = await admin.fetch(`${gateway.url}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Values;
};
const readPassword = async () => {
  const row = gateway.ctx.db.selectFrom('settings').select('value').where('name', '=', 'email');
  return (await row.executeTakeFirst())?.value.smtpPassword;
};

/** Values that differ from `start` in every field. The server stays, because another one removes the password. */
const server = { smtpHost: email.smtpHost, smtpPort: email.smtpPort, smtpUser: email.smtpUser, smtpSecure: false };
const forms = [
  { name: 'site', route: routes.putSiteSettings, start: site, same: [] },
  { name: 'seo', route: routes.putSeoSettings, start: seo, same: [] },
  { name: 'email', route: routes.putEmailSettings, start: email, same: [...Object.keys(server), 'smtpPassword'] },
  { name: 'security', route: routes.putSecuritySettings, start: security, same: [] },
  { name: 'billing', route: routes.putBillingSettings, start: changingBodies.putBillingSettings, same: [] },
] as const;
const changed: Record<(typeof forms)[number]['name'], Values> = {
  site: {
    siteName: 'Other',
    siteDescription: 'Another description',
    siteUrl: 'https://other.example',
    contactEmail: 'contact@other.example',
    supportEmail: 'support@other.example',
    maintenanceMode: true,
    allowRegistration: false,
    defaultPlan: 'pro',
    supportHours: '',
    company: 'Other Ltd.',
    companyAddress: '2 Other Street',
    governingLaw: 'Utah',
    ...{ liability: 'Limited.', legalBasis: 'Consent.', processors: 'Mail: emails' },
    engineHourCosts: { art: 1 },
  },
  seo: {
    metaTitle: 'Other',
    metaDescription: 'Another description',
    metaKeywords: '',
    ogTitle: '',
    ogDescription: 'A description for sharing',
    ogImage: '',
    twitterCard: 'summary_large_image',
    twitterSite: '',
    googleAnalyticsId: 'G-AB12CD34EF',
    googleTagManagerId: 'GTM-AB12CD3',
  },
  email: {
    ...server,
    smtpPassword: 'another password',
    fromEmail: 'other@images.example',
    fromName: 'Other',
    welcomeEmailEnabled: false,
    notificationEmailEnabled: true,
  },
  security: {
    requireTwoFactor: true,
    sessionTimeout: 60,
    maxLoginAttempts: 9,
    lockoutDuration: 30,
    rateLimitEnabled: false,
    rateLimitRequests: 90,
    allowedOrigins: ['https://other.example'],
    minPasswordLength: 14,
  },
  billing: { yearly: { pro: 8_000 }, packs: [], collectsTax: false },
};

it.each(forms)(
  'every setting of $name can be changed and restored, but no secret',
  async ({ name, route, ...form }) => {
    await send('PUT', route.path, form.start);
    const { version, ...before } = await send('GET', route.path);
    const values = changed[name];
    await send('PUT', route.path, values);
    const password = await readPassword();
    const after = await send('GET', route.path);
    const unchanged = Object.keys(before).filter(
      (field) => JSON.stringify(after[field]) === JSON.stringify(before[field]),
    );
    expect(unchanged.filter((field) => field !== 'smtpPasswordSet').sort()).toEqual(form.same.toSorted());
    if (name !== 'billing')
      expect(after).toMatchObject({ ...values, ...('smtpPassword' in values && { smtpPassword: '' }) });
    await send('POST', `/api/admin/settings/${name}/restore`, { version, seen: after.version });
    const { version: _, ...restored } = await send('GET', route.path);
    expect(restored).toEqual(before);
    expect(await readPassword()).toEqual(password);
  },
);
