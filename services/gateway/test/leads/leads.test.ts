import type { NewLeadInput } from '@uprez/contracts/schemas/contact';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import { renderMail } from '@uprez/mail/render-mail';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();
const anonymous = makeCheckedFetch(fetch);
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('leads').execute();
  await gateway.ctx.db.deleteFrom('outbox').execute();
});

const lead = {
  name: 'Ada Lovelace',
  email: 'ada@engine.example',
  company: 'Engine Ltd.',
  volume: '100,000',
  message: 'We need more.\nSee https://engine.example.',
};
const send = (body: Partial<NewLeadInput> = {}, { by = anonymous, url = gateway.url } = {}) =>
  by(`${url}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify({ ...lead, ...body }),
  });
const stored = () => gateway.ctx.db.selectFrom('leads').selectAll().execute();
const mails = async () =>
  (await gateway.ctx.db.selectFrom('outbox').selectAll().execute()).map(({ payload }) => payload);

describe('POST /api/leads', () => {
  it('stores the inquiry of a visitor and emails it to support', async () => {
    expect((await send()).status).toBe(201);
    expect(await stored()).toMatchObject([{ ...lead, accountId: null }]);
    const [payload] = await mails();
    expect(payload).toEqual({ mail: 'lead', to: `support@${publicHost}`, ...lead });
    const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null };
    const { subject, text } = await renderMail(mailSchema.parse(payload), facts);
    expect(subject).toBe('Uprez Enterprise inquiry from Ada Lovelace');
    expect(text).toContain('Reply to ada@engine.example.');
    expect(text).toContain('Images per month: 100,000');
    expect(text).not.toContain('https://engine.example');
  });

  it('A12: writes markup in its fields as text into the email', async () => {
    const markup = '<img src=x onerror=alert(1)><a href="https://evil.example">x</a>';
    const texts = { name: markup, company: markup, volume: markup.slice(0, 30), message: `${markup}\n=1+1` };
    expect((await send(texts)).status).toBe(201);
    const [payload] = await mails();
    const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: markup };
    const { subject, html } = await renderMail(mailSchema.parse(payload), facts);
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('evil.example"');
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('keeps who is signed in', async () => {
    const { fetch: by, user } = await gateway.signUp();
    await gateway.ctx.db.deleteFrom('outbox').execute();
    await send({}, { by });
    expect(await stored()).toMatchObject([{ accountId: user.id }]);
  });

  it('drops what fills the hidden field', async () => {
    expect((await send({ website: 'https://spam.example' })).status).toBe(201);
    expect([await stored(), await mails()]).toEqual([[], []]);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Name is required'],
    [{ email: 'ada' }, 'email', 'Enter a valid email address.'],
    [{ message: ' \n ' }, 'message', 'Message is required'],
    [{ message: 'a'.repeat(5_001) }, 'message', "Message can't be longer than 5000 characters."],
  ])('returns 422 for %j', async (body, param, detail) => {
    expect(await (await send(body)).json()).toMatchObject({ status: 422, param, detail });
    expect(await stored()).toEqual([]);
  });

  it('returns 429 after 5 inquiries in an hour from an IP address', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '1' });
    onTestFinished(strict.close);
    for (let i = 0; i < 5; i += 1) expect((await send({}, { by: fetch, url: strict.url })).status).toBe(201);
    const rejected = await send({}, { by: fetch, url: strict.url });
    expect([rejected.status, rejected.headers.get('x-error-code')]).toEqual([429, 'rate_limited']);
  });
});
