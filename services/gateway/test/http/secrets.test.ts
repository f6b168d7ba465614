import { randomBytes, randomUUID } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { findMailLink, waitForMail } from '@uprez/testing/mail';
import { makeImage } from '@uprez/testing/make-image';
import { openRedisProbe } from '@uprez/testing/redis';
import { imageForm, makeCookieFetch } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { email as emailSettings } from '../support/accounts/admin-calls.ts';
import { dumpRedis, findIn, findInTables } from '../support/accounts/find-secrets.ts';
import { openBrowser } from '../support/accounts/open-browser.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { startFullProduct } from '../support/start-full-product.ts';

/**
 * Runs an account through all calls that carry secrets, then searches for them in the logs at trace level, Redis,
 * PostgreSQL, and error responses.
 */
const email = `canary-${randomUUID()}@example.test`;
const password = `password "of" the canary ${randomUUID()}`;
const newPassword = `new password of the canary ${randomUUID()}`;
const wrongPassword = `wrong password of the canary ${randomUUID()}`;
const wrongSmtpPassword = `wrong mail password ${randomUUID()}`;
const adminPassword = `password of the admin ${randomUUID()}`;
const adminEmail = `admin-${randomUUID()}@example.test`;
const idempotencyKey = `order of the canary ${randomUUID()}`;
const canaries = new Map<string, string>();
const note = (name: string, secret: string | null | undefined) => {
  // The unique part of a text is found even when the rest is escaped.
  const core = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(secret ?? '')?.[0] ?? secret;
  if (!core || core.length < 10) throw new Error(`there is no ${name}`);
  canaries.set(name, core);
};
const texts = {
  email,
  password,
  newPassword,
  wrongPassword,
  wrongSmtpPassword,
  adminEmail,
  adminPassword,
  idempotencyKey,
};
for (const [name, text] of Object.entries(texts)) note(name, text);

type Failure = { status: number; headers: Headers; text: string };
const failures: Failure[] = [];
/** Returns a fetch with cookies that records failures and registers new cookies as canaries. */
function watch(name: string): typeof fetch {
  const inner = makeCookieFetch();
  let cookies = 0;
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.status >= 400)
      failures.push({ status: response.status, headers: response.headers, text: await response.clone().text() });
    for (const line of response.headers.getSetCookie()) {
      const [, cookie = '', value = ''] = /^([\w-]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') continue;
      cookies += 1;
      note(`${name} ${cookie} ${cookies}`, value);
      // The secret inside the signed token of the session.
      const claims = value.split('.')[1];
      if (claims) note(`${name} session ${cookies}`, JSON.parse(Buffer.from(claims, 'base64url').toString()).sid);
    }
    return response;
  };
}

const full = fileFixture(() =>
  startFullProduct({
    services: ['gateway', 'worker', 'dispatcher'],
    knowsServer: false,
    env: { LOG_LEVEL: 'trace', ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword },
  }),
);
beforeAll(async () => {
  note('smtpPassword', full.mailEnv.SMTP_PASSWORD);
  await liveAndFail();
});

const open = (name: string) => openBrowser(full.product.url, watch(name));
const linkToken = async (to: string, subject: string) => {
  const token = findMailLink(await waitForMail(full.mailUrl, to, subject)).searchParams.get('token');
  note(`token of "${subject}"`, token);
  return token;
};
type SabotagedTable = 'users' | 'sessions' | 'outbox' | 'idempotency_keys';
const sabotage = async (table: SabotagedTable, call: () => Promise<{ status: number }>) => {
  const { db } = full.product;
  await sql`alter table ${sql.table(table)} add constraint no_more check (false) not valid`.execute(db);
  const answer = await call().finally(() => sql`alter table ${sql.table(table)} drop constraint no_more`.execute(db));
  expect(answer.status).toBe(500);
};

async function setMailServer(): Promise<void> {
  const admin = open('admin');
  await admin.call('POST', '/api/login', { email: adminEmail, password: adminPassword });
  await admin.call('POST', '/api/user/step-up', { password: adminPassword });
  const { SMTP_HOST: smtpHost, SMTP_PORT: smtpPort, SMTP_USER: smtpUser } = full.mailEnv;
  const put = (smtpPassword: string, more = {}) =>
    admin.call('PUT', '/api/admin/settings/email', {
      ...emailSettings,
      ...{ smtpHost, smtpPort: Number(smtpPort), smtpUser, smtpPassword, notificationEmailEnabled: true },
      ...more,
    });
  const { db } = full.product;
  expect((await put(wrongSmtpPassword, { fromEmail: 'nobody' })).status).toBe(422);
  expect((await put(wrongSmtpPassword)).status).toBe(200);
  await waitUntil(async () => {
    const failed = await db.selectFrom('outbox').select('id').where('lastError', 'like', 'EAUTH%').execute();
    return failed.length === 3;
  });
  expect((await put(full.mailEnv.SMTP_PASSWORD)).status).toBe(200);
  // Skip the retry delay, but give the dispatcher time to load the new password.
  const due = sql<Date>`now() - interval '1 second'`;
  await waitUntil(
    async () => {
      await db
        .updateTable('outbox')
        .set({ notBefore: due })
        .where('lastError', 'is not', null)
        .where('notBefore', '<', sql<Date>`now() + interval '45 seconds'`)
        .execute();
      return allSent();
    },
    { everyMs: 1_000, what: 'the failed emails' },
  );
}
async function allSent(): Promise<boolean> {
  const rows = await full.product.db.selectFrom('outbox').select('id').where('sentAt', 'is', null).execute();
  return rows.length === 0;
}

/** Makes every call that carries a secret, in its successful and failing variants. */
async function liveAndFail(): Promise<void> {
  const [home, away] = [open('home'), open('away')];
  const register = { email, password, firstName: 'Canary' };
  for (const table of ['users', 'sessions', 'outbox'] as const)
    await sabotage(table, () => home.call('POST', '/api/register', register));
  expect((await home.call('POST', '/api/register', register)).status).toBe(201);
  await setMailServer();
  await home.call('POST', '/api/verify-email', { token: await linkToken(email, 'Confirm your email') });
  const setup = await home.call('POST', '/api/2fa/setup', { password });
  const { secret } = setup.body as { secret: string };
  note('secret of two-factor', secret);
  const enabled = await home.call('POST', '/api/2fa/enable', { code: totpCode(secret) });
  const { recoveryCodes } = enabled.body as { recoveryCodes: string[] };
  for (const [index, code] of recoveryCodes.entries()) {
    note(`recovery code ${index}`, code);
    note(`bare recovery code ${index}`, code.replaceAll('-', ''));
  }
  const login = { email, password, code: recoveryCodes[0] };
  expect((await away.call('POST', '/api/login', login)).status).toBe(200);

  const form = imageForm(await makeImage({ width: 8, height: 8 }), { engine: 'standard' });
  const process = (body: FormData, key: string) =>
    home.fetch('/api/images/process', { method: 'POST', body, headers: { 'idempotency-key': key } });
  const { downloadUrl } = await (await process(form, idempotencyKey)).json();
  const other = imageForm(await makeImage({ width: 9, height: 9 }), { engine: 'standard' });
  for (const key of [idempotencyKey, idempotencyKey.repeat(9)]) expect((await process(other, key)).status).toBe(422);
  await sabotage('idempotency_keys', () => process(other, `another ${idempotencyKey}`));
  note('signature of a link', new URL(downloadUrl, full.product.url).searchParams.get('sig'));
  const stranger = open('stranger');
  expect((await stranger.fetch(downloadUrl)).status).toBe(200);
  expect((await stranger.fetch(downloadUrl.replace('/api/files/', '/api/files/x'))).status).toBe(404);

  await stranger.call('POST', '/api/forgot-password', { email });
  const token = await linkToken(email, 'Reset your');
  await stranger.fetch(`/reset-password?token=${token}`, { headers: { accept: 'text/html' } });
  await stranger.fetch(`/api/reset-password?token=${token}&password=${encodeURIComponent(newPassword)}`);
  await stranger.call('POST', '/api/reset-password', { token: token?.slice(1), newPassword });
  await stranger.call('POST', '/api/reset-password', { token, newPassword, extra: [password] });
  await stranger.call('POST', '/api/login', { email, password: wrongPassword });
  await stranger.call('POST', '/api/login', { email: [email], password: { is: newPassword }, code: secret });
  await stranger.call('POST', '/api/register', { ...register, lastName: `\u0000${email}` });
  await stranger.call('POST', '/api/register', register);
  await stranger.fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"${email}","password":"${wrongPassword}`,
  });
  await stranger.fetch(`/api/nothing/${email}/${token}?sig=${token}`, { method: 'DELETE' });
  await stranger.fetch('/api/user', { headers: { cookie: `uprez=${token}`, authorization: `Bearer ${token}` } });
  await sabotage('sessions', () =>
    home.call('POST', '/api/login', { ...login, password: newPassword, code: recoveryCodes[1] }),
  );
  expect(
    (await home.call('POST', '/api/login', { ...login, password: newPassword, code: recoveryCodes[2] })).status,
  ).toBe(200);
  await home.call('POST', '/api/user/email', { email: 'nobody', password: newPassword, code: recoveryCodes[3] });
  await home.call('POST', '/api/user/export', { password: newPassword, code: recoveryCodes[4] });
  await waitForMail(full.mailUrl, email, 'ready to download');
  await waitUntil(allSent, { what: 'all emails to be sent' });
}

describe('L1: secrets and user email addresses', () => {
  it('are all registered as canaries', () => {
    const kinds = new Set([...canaries.keys()].map((name) => name.replace(/ \d+$/, '')));
    const secrets = [
      'smtpPassword',
      'secret of two-factor',
      'recovery code',
      'bare recovery code',
      'signature of a link',
    ];
    const tokens = ['Confirm your email', 'Reset your'].map((subject) => `token of "${subject}"`);
    const cookies = ['home', 'away', 'admin'].flatMap((name) =>
      ['uprez', 'uprez-device', 'session'].map((cookie) => `${name} ${cookie}`),
    );
    // A browser that resets a password becomes a known device.
    cookies.push('stranger uprez-device');
    expect([...kinds].sort()).toEqual([...Object.keys(texts), ...secrets, ...tokens, ...cookies].sort());
  });

  it('are absent from the logs at trace level', () => {
    const { services } = full.product;
    expect(services.map(({ name, lines }) => [name, lines.length > 0])).toEqual([
      ['gateway', true],
      ['worker', true],
      ['dispatcher', true],
    ]);
    const lines = services.flatMap((service) => service.lines);
    // The trace level is on, and secrets are redacted.
    expect(lines.some((line) => line.includes('"cookie":"[cut]"'))).toBe(true);
    expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThanOrEqual(4);
    expect(lines.filter((line) => line.includes('sending a mail failed')).length).toBeGreaterThanOrEqual(2);
    expect(lines.filter((line) => findIn(line, canaries).length > 0)).toEqual([]);
  });

  it('are absent from Redis', async () => {
    const { REDIS_URL: url = '', QUEUE_PREFIX: prefix = '' } = full.product.env;
    const probe = openRedisProbe({ url, prefix });
    const texts = await dumpRedis(probe.client, prefix).finally(probe.close);
    expect(texts.filter((text) => text.includes(':rate:')).length).toBeGreaterThan(0);
    expect(texts.filter((text) => findIn(text, canaries).length > 0)).toEqual([]);
  });

  it('are absent from error responses', () => {
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([400, 401, 404, 405, 409, 422, 500]));
    const seen = ({ headers, text }: Failure) => `${text}\n${[...headers].flat().join('\n')}`;
    expect(failures.map(seen).filter((text) => findIn(text, canaries).length > 0)).toEqual([]);
  });

  it('are absent from PostgreSQL, except email addresses of accounts and their links, and idempotency keys', async () => {
    const { found, rows } = await findInTables(full.product.db, canaries);
    expect(rows).toBeGreaterThan(20);
    expect(found).toEqual({
      users: ['email', 'adminEmail'],
      account_tokens: ['email'],
      idempotency_keys: ['idempotencyKey'],
    });
  });
});

describe('an error response', () => {
  const inside = [
    /\bat [^\s]+ \(/, // a stack
    /\b(select|insert|update|delete|relation|constraint|column|syntax error)\b.*\b(from|into|set|violates|exist)\b/i,
    /(^|[\s("'])\/(work|home|tmp|app|usr|srv)\//, // a path of ours
    /\.(ts|js|mjs)\b|node_modules/,
    /\bv?\d+\.\d+\.\d+/, // a version
    /fastify|FST_|kysely|postgres|redis|zod|node\.js/i,
  ];
  const check = ({ status, headers, text }: Failure) => {
    const told = `${text}\n${[...headers].flatMap(([name, value]) => (name === 'content-security-policy' ? [] : [`${name}: ${value}`])).join('\n')}`;
    for (const pattern of inside) expect(told, `${status}`).not.toMatch(pattern);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(text.length).toBeGreaterThan(0);
  };
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, init: RequestInit = {}): Promise<Failure> => {
    const response = await fetch(full.product.url + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = (body: string, headers: Record<string, string> = json) =>
    send('/api/login', { method: 'POST', body, headers });
  const raw = async (head: readonly string[]): Promise<Failure> => {
    const { status, headers, body } = await sendRaw({ url: full.product.url, head });
    return { status, headers, text: body };
  };

  it.each<[string, number, () => Promise<Failure>]>([
    ['an unknown URL', 404, () => send('/api/nothing')],
    ['an unknown file', 404, () => send('/assets/nothing.js')],
    ['a job without a session', 401, () => send(`/api/jobs/${randomUUID()}`)],
    ['an invalid value', 422, () => post('{"email":1}')],
    ['malformed JSON', 400, () => post('{"email":')],
    ['an unsupported body type', 400, () => post('<a/>', { 'content-type': 'application/xml' })],
    ['a body that is too large', 400, () => post(JSON.stringify({ email: 'x'.repeat(70_000) }))],
    ['a malformed URL', 404, () => send('/api/jobs/%zz')],
    ['another origin', 403, () => post('{}', { ...json, origin: 'https://evil.example' })],
    ['an invalid header', 400, () => raw(['GET / HTTP/1.1', 'bad header'])],
    ['a header that is too long', 431, () => raw(['GET / HTTP/1.1', `X-Long: ${'x'.repeat(100_000)}`])],
  ])('for %s contains no internal details', async (_what, status, ask) => {
    const failure = await ask();
    expect(failure.status).toBe(status);
    check(failure);
  });

  it('for a file that is too large contains no internal details', async () => {
    const cookie = (await openCookie()) ?? '';
    const failure = await raw([
      'POST /api/images/process HTTP/1.1',
      `Cookie: ${cookie}`,
      'Content-Type: multipart/form-data; boundary=b0',
      'Content-Length: 60000000',
    ]);
    expect(failure.status).toBe(413);
    check(failure);
  });
  const openCookie = async () => {
    const body = JSON.stringify({ email: `${randomBytes(8).toString('hex')}@example.test`, password: 'correct horse' });
    const { headers } = await send('/api/register', { method: 'POST', headers: json, body });
    return headers.getSetCookie()[0]?.split(';')[0];
  };

  it.each(['*/*', 'application/problem+json'])(
    'for an internal error contains no details as %s, and the log contains them with the request ID',
    async (accept) => {
      const { db, services } = full.product;
      await sql`alter table users rename to users_away`.execute(db);
      const body = JSON.stringify({ email, password });
      const failure = await send('/api/login', { method: 'POST', headers: { ...json, accept }, body }).finally(() =>
        sql`alter table users_away rename to users`.execute(db),
      );
      expect([failure.status, failure.headers.get('x-error-code')]).toEqual([500, 'internal']);
      check(failure);
      const requestId = failure.headers.get('x-request-id') ?? '';
      const line = await waitUntil(() =>
        services.flatMap(({ lines }) => lines).find((text) => text.includes(requestId)),
      );
      expect(line).toContain('users');
      expect(findIn(line, canaries)).toEqual([]);
    },
  );

  it('contains no internal details in any earlier failure', () => {
    for (const failure of failures) check(failure);
  });
});
