import type { AdminLead } from '@uprez/contracts/schemas/billing/admin-payments';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const stripe = fileFixture(openTestStripe);
const gateway = fileFixture(() => startTestGateway(stripe.env));
const admin = fileFixture(() => signUpAdmin(gateway));
beforeAll(() => syncCatalog({ db: gateway.ctx.db, payments: stripe.payments }, { onChange: () => {} }));

const prefix = '/api/admin/payments/leads';
const get = (query = '', path = prefix) => admin.fetch(`${gateway.url}${path}${query}`);
const post = (path: string, body: object, { by = admin, url = gateway.url } = {}) =>
  by.fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const namesOf = async (response: Response) => ((await response.json()) as AdminLead[]).map(({ name }) => name);
const codeOf = ({ status, headers }: Response) => [status, headers.get('x-error-code')];

beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('leads').execute();
  for (const [index, name] of ['Ada', 'Grace', 'Mary'].entries())
    await gateway.ctx.db
      .insertInto('leads')
      .values({
        ...{ id: crypto.randomUUID(), accountId: null, name, email: `${name.toLowerCase()}@engine.example` },
        ...{ company: `${name} Ltd.`, volume: '1,000', message: '=1+1', createdAt: new Date(2026, 0, 1 + index) },
      })
      .execute();
});

describe('GET /api/admin/payments/leads', () => {
  it('searches, filters, sorts, and pages', async () => {
    expect(await namesOf(await get())).toEqual(['Mary', 'Grace', 'Ada']);
    expect(await namesOf(await get('?sort=created'))).toEqual(['Ada', 'Grace', 'Mary']);
    expect(await namesOf(await get('?search=GRACE@engine'))).toEqual(['Grace']);
    expect(await namesOf(await get('?search=mary%20ltd'))).toEqual(['Mary']);
    expect(await namesOf(await get('?search=%25'))).toEqual([]);
    const first = await get('?limit=2');
    expect(first.headers.get('x-total-count')).toBe('3');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(await namesOf(await get('', next))).toEqual(['Ada']);
  });

  it('separates leads that got a link', async () => {
    const [lead] = (await (await get('?search=ada')).json()) as AdminLead[];
    expect((await post(`${prefix}/${lead?.id}/link`, { interval: 'month' })).status).toBe(200);
    expect(await namesOf(await get('?status=sent'))).toEqual(['Ada']);
    expect(await namesOf(await get('?status=open'))).toEqual(['Mary', 'Grace']);
  });

  it('exports the rows of the same filter, with texts that are no formulas', async () => {
    const response = await get('?search=ada', `${prefix}/export`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="?leads-/);
    const lines = (await response.text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('lead,name,email,company,message,volume,status,link_sent,link_interval,created');
    expect(lines[1]).toContain('ada@engine.example');
    expect(lines[1]).not.toMatch(/,"?=1/);
  });
});

describe('sending a checkout link', () => {
  it('accepts an email address, and rejects a wrong one', async () => {
    const sent = await post(prefix, { email: 'new@engine.example', interval: 'month' });
    expect(await sent.json()).toMatchObject({ email: 'new@engine.example', state: 'sent' });
    expect(codeOf(await post(prefix, { email: 'new@engine.example', interval: 'month' }))).toEqual([
      429,
      'rate_limited',
    ]);
    expect(codeOf(await post(prefix, { email: 'new', interval: 'month' }))).toEqual([422, 'invalid_parameter']);
    expect(codeOf(await post(prefix, { email: 'b@engine.example', interval: 'week' }))).toEqual([
      422,
      'invalid_parameter',
    ]);
    expect(codeOf(await post(`${prefix}/none/link`, { interval: 'month' }))).toEqual([404, 'lead_not_found']);
  });

  it("returns 403 to users, and 409 without Stripe's keys", async () => {
    const by = await gateway.signUp();
    const body = { email: 'c@engine.example', interval: 'month' };
    expect(codeOf(await post(prefix, body, { by }))).toEqual([403, 'admin_only']);
    const without = await startTestGateway();
    onTestFinished(without.close);
    const other = await signUpAdmin(without);
    expect(codeOf(await post(prefix, body, { by: other, url: without.url }))).toEqual([409, 'billing_not_configured']);
  });
});
