import { randomUUID } from 'node:crypto';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import { updateSubscriber } from '@uprez/db/queries/newsletter/subscribers';
import { hashLinkToken } from '@uprez/domain/mails/account-token';
import { makeSubscriberToken } from '@uprez/domain/newsletter/subscribers/subscription';
import { openVault } from '@uprez/domain/vault';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { sendContact } from '../support/contact.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { vaultSecret } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();
const call = makeCheckedFetch(fetch);
const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
const prefix = '/api/newsletter';
const email = 'ada@readers.example';
beforeEach(async () => {
  for (const table of ['subscribers', 'outbox', 'tickets'] as const) await gateway.ctx.db.deleteFrom(table).execute();
});

const accept = 'application/json, application/problem+json';
const send = (method: string, path: string, body?: object) =>
  call(`${gateway.url}${prefix}${path}`, {
    method,
    headers: { accept, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const ask = (body: object = {}) => send('POST', '/subscriptions', { email, topics: ['news'], ...body });
const rows = () => gateway.ctx.db.selectFrom('subscribers').selectAll().orderBy('createdAt').execute();
const mails = async () =>
  (await gateway.ctx.db.selectFrom('outbox').selectAll().orderBy('id').execute()).map(({ payload }) =>
    mailSchema.parse(payload),
  );
const tokenOf = (id: string) => makeSubscriberToken({ vault: openVault(vaultSecret) }, id);
async function makeReader(topics: ('news' | 'status')[] = ['news', 'status']) {
  const [reader] = await makeSubscribers(gateway.ctx.db, 1, { topics });
  if (!reader) throw new Error('no reader');
  return { ...reader, token: tokenOf(reader.id) };
}
const stateOf = async () => (await rows()).map(({ state, topics }) => ({ state, topics }));

describe('POST /api/newsletter/subscriptions', () => {
  it('answers unknown, confirmed, refused, and limited addresses, and bots, in the same way', async () => {
    const [confirmed, bounced] = [await makeReader(), await makeReader()];
    await gateway.ctx.db
      .transaction()
      .execute((tx) => updateSubscriber(tx, bounced.id, { state: 'bounced', endedAt: new Date() }));
    const asked = [{}, { email: confirmed.email }, { email: bounced.email }, { website: 'x' }];
    for (let i = 0; i < newsletterLimits.confirmationsPerDay; i += 1) asked.push({});
    const answers = new Set<string>();
    for (const body of asked) {
      const response = await ask(body);
      answers.add(`${response.status} ${await response.text()}`);
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^202 .*If this address isn't subscribed yet/);
    expect(await mails()).toMatchObject([
      { mail: 'confirm_subscription', to: email, topics: ['news'] },
      { mail: 'confirm_subscription', to: email, topics: ['news'] },
    ]);
  });

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ topics: [] }, 'topics'],
    [{ topics: ['weather'] }, 'topics/0'],
    [{ services: ['mail'] }, 'services/0'],
    [{ source: 'contact' }, 'source'],
    [{ other: 1 }, 'other'],
  ])('rejects %o, and stores nothing', async (body, param) => {
    const response = await ask(body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', param });
    expect(await rows()).toEqual([]);
  });
});

describe('links', () => {
  it('confirm only by POST, and show the preferences', async () => {
    await ask();
    const [{ id } = { id: '' }] = await rows();
    const token = 'the-token-of-the-email';
    await gateway.ctx.db.transaction().execute((tx) => updateSubscriber(tx, id, { tokenHash: hashLinkToken(token) }));
    for (const path of ['/newsletter/confirm', '/newsletter/unsubscribe', '/newsletter/preferences']) {
      const page = await fetch(`${gateway.url}${path}?token=${token}`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'same-origin']);
    }
    expect(await stateOf()).toEqual([{ state: 'pending', topics: [] }]);
    const confirmed = await send('POST', '/confirm', { token });
    const { token: link, ...subscription } = (await confirmed.json()) as { token: string };
    expect(subscription).toEqual({ email, topics: ['news'], services: [] });
    expect(await (await send('GET', `/subscription?token=${link}`)).json()).toEqual(subscription);
    const changed = { topics: ['status'], services: ['api'] };
    const updated = await send('PUT', `/subscription?token=${link}`, changed);
    expect(await updated.json()).toEqual({ email, ...changed });
    expect((await send('POST', '/confirm', { token })).status).toBe(400);
  });

  it('that are forged get one answer', async () => {
    const { id, token } = await makeReader();
    const other = tokenOf('01890000-0000-7000-8000-000000000000');
    const wrong = ['', 'x', id, `${token.slice(0, -1)}!`, `${token.slice(0, -4)}AAAA`, other];
    const answers = new Set<string>();
    for (const one of wrong)
      for (const response of [
        await send('GET', `/subscription?token=${encodeURIComponent(one)}`),
        await send('POST', `/unsubscribe?token=${encodeURIComponent(one)}`),
        await send('POST', '/confirm', { token: one }),
      ])
        answers.add(`${response.status} ${await response.text()}`);
    expect(answers.size).toBe(1);
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['news', 'status'] }]);
  });
});

describe('POST /api/newsletter/unsubscribe', () => {
  const form = 'List-Unsubscribe=One-Click';
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  it.each([
    ['a form', { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a multipart form', { body: multipart }],
    ['text', { body: form, headers: { 'content-type': 'text/plain' } }],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }],
    ['no body', {}],
    ['an unknown type', { body: form, headers: { 'content-type': 'x/y; charset=utf-99' } }],
    ['broken JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['a long text', { body: 'x'.repeat(3_000_000), headers: { 'content-type': 'text/plain' } }],
    ['a long form', { body: 'x'.repeat(3_000_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('acts for mail programs, without a cookie and from any origin: %s', async (_name, init) => {
    const { token } = await makeReader();
    const url = `${gateway.url}${prefix}/unsubscribe?token=${token}`;
    const headers = { ...foreign, ...('headers' in init ? init.headers : {}) };
    for (let i = 0; i < 2; i += 1) expect((await fetch(url, { ...init, method: 'POST', headers })).status).toBe(200);
    expect(await stateOf()).toEqual([{ state: 'unsubscribed', topics: [] }]);
  });

  it('leaves one topic; a GET changes nothing and leads to the page with the button', async () => {
    const { token } = await makeReader();
    const path = `/unsubscribe?token=${token}&topic=news`;
    const page = await fetch(gateway.url + prefix + path, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([303, `/newsletter${path}`]);
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['news', 'status'] }]);
    expect((await send('POST', path)).status).toBe(200);
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['status'] }]);
  });

  it('leads to its page, and rejects its POST with one error, for queries that no email has', async () => {
    const { token } = await makeReader();
    for (const query of ['', '?token=', `?token=${'x'.repeat(500)}`, `?token=${token}&token=${token}`, '?topic=news']) {
      const found = await fetch(`${gateway.url}${prefix}/unsubscribe${query}`, { redirect: 'manual' });
      expect([query, found.status]).toEqual([query, 303]);
      expect(found.headers.get('location')).toMatch(/^\/newsletter\/unsubscribe/);
      expect(await (await send('POST', `/unsubscribe${query}`)).json()).toMatchObject({ code: 'invalid_token' });
    }
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['news', 'status'] }]);
  });

  it('is the only write that pages of other sites can send', async () => {
    const { token } = await makeReader();
    const headers = { ...foreign, 'content-type': 'application/json' };
    for (const [method, path] of [
      ['PUT', `/subscription?token=${token}`],
      ['POST', '/subscriptions'],
      ['POST', '/confirm'],
    ])
      expect((await fetch(gateway.url + prefix + path, { method, headers, body: '{"topics":[]}' })).status).toBe(403);
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['news', 'status'] }]);
  });
});

describe('pages without JavaScript', () => {
  const page = async (path: string) => {
    const response = await fetch(gateway.url + path, { headers: { accept: 'text/html' } });
    return { status: response.status, html: await response.text() };
  };
  /** Sends the form of a page as a browser does, and returns the page that it leads to. */
  async function submit(html: string, from = gateway.url) {
    const form = /<form method="post" action="([^"]+)">([\s\S]*?)<\/form>/.exec(html);
    if (!form) throw new Error(`no form in ${html}`);
    const [, action = '', fields = ''] = form;
    const decode = (text: string) => text.replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
    const body = new URLSearchParams(
      [...fields.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
    );
    const headers = { accept: 'text/html', origin: from };
    const init = { method: 'POST', headers, body, redirect: 'manual' } as const;
    const response = await fetch(gateway.url + decode(action), init);
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, ...(location && (await page(location))), sent: response.status };
  }

  it('confirm by a form, once, and show what the subscriber gets', async () => {
    await ask({ email: "o'hara@readers.example" });
    const [{ id } = { id: '' }] = await rows();
    const token = randomUUID();
    await gateway.ctx.db.transaction().execute((tx) => updateSubscriber(tx, id, { tokenHash: hashLinkToken(token) }));
    const { html } = await page(`/newsletter/confirm?token=${token}`);
    expect(html).toContain('<h1>Confirm your subscription</h1>');
    expect(html).toMatch(/<button[^>]*>Confirm subscription<\/button>/);
    expect((await submit(html, 'https://evil.example')).sent).toBe(403);
    expect(await stateOf()).toEqual([{ state: 'pending', topics: [] }]);
    const done = await submit(html);
    expect([done.sent, done.location]).toEqual([303, `/newsletter/preferences?token=${tokenOf(id)}`]);
    expect(done.html).toContain('o&#39;hara@readers.example gets these emails: News.');
    expect(await stateOf()).toEqual([{ state: 'confirmed', topics: ['news'] }]);
    const again = await submit(html);
    expect(again).toMatchObject({ sent: 303, location: '/newsletter/confirm', status: 200 });
    expect(again.html).toContain('This link isn&#39;t valid');
    expect(again.html).not.toContain('<form');
  });

  it('unsubscribe by a form from one topic, then from all', async () => {
    const { email: address, token } = await makeReader();
    const first = await submit((await page(`/newsletter/unsubscribe?token=${token}&topic=news`)).html);
    expect(first.location).toBe(`/newsletter/preferences?token=${token}`);
    expect(first.html).toContain(`${address} gets these emails: Status notifications.`);
    expect(first.html).toMatch(/<button[^>]*>Unsubscribe from all<\/button>/);
    const second = await submit((await page(first.location)).html);
    expect(second.html).toContain(`${address} gets no emails.`);
    expect(await stateOf()).toEqual([{ state: 'unsubscribed', topics: [] }]);
  });

  it('show nothing about a token that is not valid, and no markup of it', async () => {
    const { token } = await makeReader();
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    for (const path of ['confirm', 'preferences', 'unsubscribe']) {
      const { html, status } = await page(`/newsletter/${path}?token=${hostile}&topic=${hostile}`);
      expect([path, status, html.includes('<script>alert')]).toEqual([path, 200, false]);
      expect(html).toContain('noindex');
    }
    const wrong = await page(`/newsletter/preferences?token=${token.slice(0, -4)}AAAA`);
    expect(wrong.html).toContain('This link isn&#39;t valid');
    expect(wrong.html).not.toContain('readers.example');
  });
});

describe('the contact form', () => {
  it('starts a subscription if its sender wants it, and none with spam', async () => {
    expect((await sendContact(gateway, { fields: { newsletter: 'true', website: 'spam' } })).status).toBe(201);
    expect((await sendContact(gateway, { fields: { newsletter: 'false' } })).status).toBe(201);
    expect((await sendContact(gateway)).status).toBe(201);
    expect(await rows()).toEqual([]);
    expect((await sendContact(gateway, { fields: { newsletter: 'yes' } })).status).toBe(422);
    expect((await sendContact(gateway, { fields: { newsletter: 'true' } })).status).toBe(201);
    expect(await rows()).toMatchObject([{ state: 'pending', source: 'contact', wantedTopics: ['news'] }]);
    expect((await mails()).filter(({ mail }) => mail === 'confirm_subscription')).toHaveLength(1);
  });
});
