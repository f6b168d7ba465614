import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import { updateSubscriber } from '@uprez/db/queries/newsletter/subscribers';
import { hashLinkToken } from '@uprez/domain/mails/account-token';
import { makeSubscriberToken } from '@uprez/domain/newsletter/subscribers/link-token';
import { openVault } from '@uprez/domain/vault';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeSubscribers } from '@uprez/testing/make-subscriber';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { sendContact } from '../support/contact.ts';
import { startTestGateway, vaultSecret } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
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
