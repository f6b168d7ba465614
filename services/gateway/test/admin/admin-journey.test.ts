import {
  type EmailSettingsBody,
  emailSettingsBodySchema,
  type SecuritySettings,
  type SiteSettings,
  securitySettingsSchema,
  siteSettingsSchema,
} from '@uprez/contracts/schemas/admin/settings';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeCookieFetch } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  lookAtDoors,
  lookAtGuards,
  lookAtLimits,
  lookAtServer,
  lookAtSite,
  lookAtSwitches,
  lookAtTls,
  lookUntil,
  type Place,
} from '../support/accounts/look-at-settings.ts';
import { openBrowser } from '../support/accounts/open-browser.ts';
import { startFullProduct } from '../support/start-full-product.ts';

/** A change is in force within a second; the rest is for busy machines and for emails to arrive. */
const inForceMs = 20_000;
const scale = 10;
const login = { email: 'admin@images.example', password: 'the password of the admin' };
/** Nothing listens here, which distinguishes the mail server of the environment from the one set later. */
const deadServer = { SMTP_HOST: '127.0.0.2', SMTP_PORT: '2525', SMTP_SECURE: 'false' };

let places: [Place, Place];
const env = { ...deadServer, ADMIN_PASSWORD: login.password, RATE_LIMIT_SCALE: String(scale) };
const full = fileFixture(() => startFullProduct({ services: ['gateway', 'dispatcher'], knowsServer: false, env }));
beforeAll(async () => {
  const second = await full.product.spawn('gateway');
  await second.ready();
  const adminFetch = makeCookieFetch();
  places = [full.product.url, await second.publicUrl()].map((url) => ({ full, url, adminFetch })) as [Place, Place];
  expect((await admin('POST', '/api/login', login)).status).toBe(200);
  expect((await admin('POST', '/api/user/step-up', { password: login.password })).status).toBe(204);
});

const admin = (method: string, path: string, body?: object) =>
  openBrowser(places[0].url, places[0].adminFetch).call(method, path, body);
const setTwoFactor = (twoFactorAt: Date | null) =>
  full.product.db.updateTable('users').set({ twoFactorAt }).where('email', '=', login.email).execute();
const trail = () => full.product.db.selectFrom('audits').selectAll().orderBy('createdAt').execute();

/** Settings that an administrator writes, and a function that observes them from outside. */
type Step<Settings> = {
  what: string;
  values: () => Partial<Settings>;
  look: (place: Place) => Promise<Partial<Settings>>;
  /** Whether only administrators with two-factor authentication may write it. */
  isProtected?: true;
  /** Unchanged values that the request must contain. */
  along?: () => Partial<Settings>;
};
/** Another server or less secure connection requires the password again. */
const along = () => ({ smtpPassword: full.mailEnv.SMTP_PASSWORD });
const siteSteps: Step<SiteSettings>[] = [
  {
    what: 'the site name, description, URL, emails, and default plan',
    values: () => ({
      siteName: 'Larger Images',
      siteDescription: 'Images become larger here.',
      siteUrl: 'https://larger.example',
      contactEmail: 'contact@larger.example',
      supportEmail: 'support@larger.example',
      defaultPlan: 'pro',
      supportHours: 'Always',
      company: 'Larger Ltd.',
      companyAddress: '2 Image Street',
      governingLaw: 'Oregon',
      ...{ liability: 'As the law says.', legalBasis: 'A contract.', processors: 'Host: servers' },
      engineHourCosts: { photo: 250 },
    }),
    look: lookAtSite,
  },
  {
    what: 'maintenance',
    values: () => ({ maintenanceMode: true }),
    look: async (place) => ({ maintenanceMode: (await lookAtDoors(place)).maintenanceMode }),
  },
  {
    what: 'the end of maintenance, and closed registration',
    values: () => ({ maintenanceMode: false, allowRegistration: false }),
    look: lookAtDoors,
  },
];
const emailSteps: Step<EmailSettingsBody>[] = [
  {
    what: 'the mail server and the sender',
    values: () => ({
      smtpHost: full.mailEnv.SMTP_HOST,
      smtpPort: Number(full.mailEnv.SMTP_PORT),
      smtpUser: full.mailEnv.SMTP_USER,
      smtpPassword: full.mailEnv.SMTP_PASSWORD,
      fromName: 'Larger Images',
      fromEmail: 'hello@larger.example',
    }),
    look: lookAtServer,
  },
  {
    what: 'disabled emails',
    values: () => ({ welcomeEmailEnabled: false, notificationEmailEnabled: false }),
    look: lookAtSwitches,
  },
  { what: 'TLS', values: () => ({ smtpSecure: true }), look: lookAtTls, along },
  { what: 'a server without TLS', values: () => ({ smtpSecure: false }), look: lookAtTls, along },
];
const securitySteps: Step<SecuritySettings>[] = [
  {
    what: 'the limits',
    values: () => ({
      sessionTimeout: 20,
      maxLoginAttempts: 3,
      lockoutDuration: 2,
      rateLimitRequests: 7,
      minPasswordLength: 12,
      allowedOrigins: ['https://app.larger.example', 'http://localhost:5173'],
    }),
    look: (place) => lookAtLimits(place, scale),
  },
  {
    what: 'disabled rate limits, and required two-factor authentication',
    values: () => ({ rateLimitEnabled: false, requireTwoFactor: true }),
    isProtected: true,
    look: lookAtGuards,
  },
];

async function takeStep(name: 'site' | 'email' | 'security', { values, look, isProtected, along: kept }: Step<object>) {
  const wanted = values();
  const path = name === 'security' ? '/api/admin/security/settings' : `/api/admin/settings/${name}`;
  for (const seen of await Promise.all(places.map(look))) expect(seen).not.toEqual(wanted);
  const before = await trail();
  const shown = (await admin('GET', path)).body as object;
  if (isProtected) await setTwoFactor(new Date());
  const answer = await admin('PUT', path, { ...shown, ...kept?.(), ...wanted });
  if (isProtected) await setTwoFactor(null);
  expect(answer.status).toBe(200);

  const isSecret = 'smtpPassword' in wanted;
  const known = isSecret ? { ...wanted, smtpPassword: '', smtpPasswordSet: true } : wanted;
  expect(answer.body).toEqual({ ...shown, ...known, version: expect.any(Number) });
  const added = (await trail()).slice(before.length);
  expect(added).toMatchObject([{ action: `settings.${name}`, subject: `settings:${name}`, address: '127.0.0.1' }]);
  expect(added[0]?.after).toEqual(isSecret ? { ...wanted, smtpPassword: 'changed' } : wanted);

  const seen = await Promise.all(places.map((place) => lookUntil(() => look(place), wanted, inForceMs)));
  expect(seen).toEqual([wanted, wanted]);
}

describe('settings in force in every gateway and the dispatcher', () => {
  it.each(securitySteps.slice(0, 1))('$what', (step) => takeStep('security', step));
  it.each(emailSteps)('$what', (step) => takeStep('email', step));
  it.each(siteSteps.slice(0, 1))('$what', (step) => takeStep('site', step));
  it.each(securitySteps.slice(1))('$what', (step) => takeStep('security', step));
  it('keeps an administrator signed in after enabling two-factor authentication', async () => {
    const { secret } = (await admin('POST', '/api/2fa/setup', { password: login.password })).body as { secret: string };
    expect((await admin('POST', '/api/2fa/enable', { code: totpCode(secret) })).status).toBe(200);
    for (const { url, adminFetch } of places)
      expect((await openBrowser(url, adminFetch).call('GET', '/api/admin/stats')).status).toBe(200);
  });
  it.each(siteSteps.slice(1))('$what', (step) => takeStep('site', step));
});

it('has a step for every setting', () => {
  const fieldsOf = (steps: readonly Step<object>[]) =>
    [...new Set(steps.flatMap(({ values }) => Object.keys(values())))].sort();
  // The response has this field; writes ignore it.
  const { smtpPasswordSet: _, smtpPasswordLost: __, ...emailShape } = emailSettingsBodySchema.shape;
  expect(fieldsOf(siteSteps)).toEqual(Object.keys(siteSettingsSchema.shape).sort());
  expect(fieldsOf(emailSteps)).toEqual(Object.keys(emailShape).sort());
  expect(fieldsOf(securitySteps)).toEqual(Object.keys(securitySettingsSchema.shape).sort());
});
