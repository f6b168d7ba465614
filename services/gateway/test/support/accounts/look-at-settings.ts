import { isDeepStrictEqual } from 'node:util';
import type { EmailSettingsBody, SecuritySettings, Site, SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import type { MailName } from '@uprez/contracts/schemas/mails';
import { afterSeconds } from '@uprez/db/times';
import { findMailPage, waitForMail } from '@uprez/testing/mail';
import { waitUntil } from '@uprez/testing/wait-until';
import { readFacts } from '../read-facts.ts';
import type { FullProduct } from '../start-full-product.ts';
import { freshEmail } from './accounts.ts';
import { type Answer, openBrowser } from './open-browser.ts';

/** A gateway of a product with an administrator's fetch. */
export type Place = { full: FullProduct; url: string; adminFetch: typeof fetch };
const password = 'a long enough password';

/** Creates a signed-in user with a confirmed email address at this gateway. */
async function join({ url, full }: Place, chosen = password) {
  const browser = openBrowser(url);
  const email = freshEmail();
  const answer = await browser.call('POST', '/api/register', { email, password: chosen });
  const { id, subscriptionTier } = (answer.status === 201 ? answer.body : {}) as Record<string, string | undefined>;
  await full.product.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
  return { browser, email, answer, id: id ?? '', tier: subscriptionTier };
}
const logIn = (url: string, email: string, guess = password) =>
  openBrowser(url).call('POST', '/api/login', { email, password: guess });
const stored = async <Shown>({ url, adminFetch }: Place, path: string): Promise<Partial<Shown>> =>
  (await openBrowser(url, adminFetch).call('GET', path)).body as Partial<Shown>;
/** Returns the headers of a processing call, which counts although its body is invalid. */
const countedCall = async (place: Place): Promise<Answer> =>
  (await join(place)).browser.call('POST', '/api/images/process', {});

/** Returns the emails of a user once each is sent or failed. */
const mailsOf = ({ full }: Place, userId: string) =>
  full.product.db.selectFrom('outbox').selectAll().where('userId', '=', userId).execute();
type OutboxRow = Awaited<ReturnType<typeof mailsOf>>[number];
const isSettled = (row: OutboxRow) => row.sentAt !== null || row.lastError !== null;
const firstSettled = (place: Place, userId: string) =>
  waitUntil(async () => (await mailsOf(place, userId)).find(isSettled), { what: 'a mail sent, or not' });

/** Returns the site settings as seen in emails, on the home page, and in the administrator's form, and the plan of a new account. */
export async function lookAtSite(place: Place): Promise<Partial<SiteSettings>> {
  const { email, tier } = await join(place);
  await logIn(place.url, email);
  const { subject, text } = await waitForMail(place.full.mailUrl, email, 'New sign-in to your');
  const page = await stored<SiteSettings>(place, '/api/admin/settings/site');
  const home = await fetch(`${place.url}/`, { headers: { accept: 'text/html' } });
  const [{ description, url } = {}] = readFacts(await home.text());
  const site = (await (await fetch(`${place.url}/api/site`)).json()) as Site;
  const { contactEmail, supportHours, company, companyAddress, governingLaw } = site;
  const { liability, legalBasis, processors } = site;
  return {
    siteName: /^New sign-in to your (.*) account$/.exec(subject)?.[1] ?? '',
    supportEmail: /contact (\S+@\S+?)\.?(\s|$)/.exec(text)?.[1] ?? '',
    defaultPlan: tier as SiteSettings['defaultPlan'],
    siteDescription: String(description),
    siteUrl: String(url).replace(/\/$/, ''),
    contactEmail,
    supportHours,
    company,
    companyAddress,
    ...{ governingLaw, liability, legalBasis, processors },
    engineHourCosts: page.engineHourCosts,
  };
}

/** Returns whether endpoints of users are closed, and whether registration is open. */
export async function lookAtDoors(place: Place): Promise<Pick<SiteSettings, 'maintenanceMode' | 'allowRegistration'>> {
  const { answer } = await join(place);
  return { maintenanceMode: answer.code === 'maintenance', allowRegistration: answer.code !== 'registration_closed' };
}

/** Returns the server and sender of emails, or nothing while emails fail. */
export async function lookAtServer(place: Place): Promise<Partial<EmailSettingsBody>> {
  const { mailEnv, mailUrl } = place.full;
  const { email, id } = await join(place);
  if ((await firstSettled(place, id)).sentAt === null) return {};
  await waitForMail(mailUrl, email);
  const page = await findMailPage(mailUrl, email);
  const [, fromName = '', fromEmail = ''] = /From (.*) &lt;(.*)&gt; to /.exec(page) ?? [];
  return {
    smtpHost: mailEnv.SMTP_HOST,
    smtpPort: Number(mailEnv.SMTP_PORT),
    smtpUser: mailEnv.SMTP_USER,
    smtpPassword: mailEnv.SMTP_PASSWORD,
    fromName,
    fromEmail,
  };
}

/** Returns whether TLS is required, which fails with the test server. */
export async function lookAtTls(place: Place): Promise<Partial<EmailSettingsBody>> {
  const { lastError: error } = await firstSettled(place, (await join(place)).id);
  return { smtpSecure: error?.startsWith('ETLS') ?? false };
}

/** Returns which emails are sent after a sign-up and an export. */
export async function lookAtSwitches(place: Place): Promise<Partial<EmailSettingsBody>> {
  const { browser, id } = await join(place);
  await browser.call('POST', '/api/user/export', { password });
  const find = async (name: MailName) => (await mailsOf(place, id)).find(({ payload }) => payload.mail === name);
  const ready = await waitUntil(
    async () => {
      const row = await find('export_ready');
      return row && isSettled(row) && row;
    },
    { what: 'the mail of the export' },
  );
  const welcome = await find('welcome');
  return {
    welcomeEmailEnabled: welcome !== undefined && welcome.failedAt === null,
    notificationEmailEnabled: ready.failedAt === null,
  };
}

/** Returns the number of login attempts and the lockout duration in minutes. */
async function guess({ url }: Place) {
  const email = freshEmail();
  for (let attempts = 0; ; attempts += 1) {
    const { status, headers } = await logIn(url, email, 'a guess');
    if (status !== 401)
      return { maxLoginAttempts: attempts, lockoutDuration: Math.ceil(Number(headers.get('retry-after')) / 60) };
  }
}

/** Returns the longer of two idle times after which a session is still valid, in minutes. */
async function idle(place: Place, [shorter, longer]: readonly [number, number]): Promise<number | undefined> {
  const { browser, id } = await join(place);
  const isIn = async (minutes: number) => {
    const seen = { lastSeenAt: afterSeconds(-60 * minutes) };
    await place.full.product.db.updateTable('sessions').set(seen).where('userId', '=', id).execute();
    return (await browser.call('GET', '/api/user')).status === 200;
  };
  if (!(await isIn(shorter))) return undefined;
  return (await isIn(longer)) ? longer : shorter;
}

/** Returns the security limits as observed. `scale`: RATE_LIMIT_SCALE of the product. */
export async function lookAtLimits(place: Place, scale: number): Promise<Partial<SecuritySettings>> {
  const [eleven, twelve] = [await join(place, 'horse staple'.slice(1)), await join(place, 'horse staple')];
  const { headers } = await countedCall(place);
  const { allowedOrigins } = await stored<SecuritySettings>(place, '/api/admin/security/settings');
  return {
    ...(await guess(place)),
    sessionTimeout: ((await idle(place, [19, 21])) ?? 0) + 1,
    minPasswordLength: eleven.answer.code === 'password_too_short' && twelve.answer.status === 201 ? 12 : 0,
    rateLimitRequests: Number(headers.get('ratelimit-limit')) / scale,
    allowedOrigins,
  };
}

/** Returns whether rate limits apply and administrators need a second factor. */
export async function lookAtGuards(place: Place): Promise<Partial<SecuritySettings>> {
  const { headers } = await countedCall(place);
  const { code } = await openBrowser(place.url, place.adminFetch).call('GET', '/api/admin/stats');
  return { rateLimitEnabled: headers.has('ratelimit-limit'), requireTwoFactor: code === 'admin_two_factor' };
}

/** Polls until the observed settings equal the written ones. Returns the last observation. */
export async function lookUntil(look: () => Promise<object>, wanted: object, timeoutMs: number): Promise<object> {
  let seen: object = {};
  const isThere = async () => {
    seen = await look();
    return isDeepStrictEqual(seen, wanted);
  };
  await waitUntil(isThere, { timeoutMs }).catch(() => {});
  return seen;
}
