import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import { webhookRetryDelaysS } from '@uprez/contracts/schemas/webhook-events';
import { v1EventSchema } from '@uprez/contracts/v1/events';
import { watchLimits } from '@uprez/domain/report-limit';
import { rotateWebhookSecret } from '@uprez/domain/webhooks/change-webhook';
import { resendEvents } from '@uprez/domain/webhooks/deliveries';
import { makeUser } from '@uprez/testing/make-user';
import { openClockedDb } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWebhookSender } from '../src/deliveries/open-webhook-sender.ts';
import type { Answer } from './support/open-receiver.ts';
import { openWebhookFixtures } from './support/webhook-fixtures.ts';
import {
  attempt,
  makeDue,
  makeEndpoint,
  makeEvents,
  readDeliveries,
  readEndpoint,
  readMails,
  senderOf,
} from './support/webhook-world.ts';

/** Responses of slow receivers that are still to be sent; undefined: they respond at once. */
let held: (() => void)[] | undefined = [];
const slowMs = 2_500;
/** Sends the response of a receiver whose endpoint is deleted. */
let answerDeleted = () => {};

const answers: Record<string, Answer> = {
  deleted: (response) => {
    answerDeleted = () => response.writeHead(204).end();
  },
  slow: (response) => {
    const answer = () => response.headersSent || response.writeHead(204).end();
    if (!held) return answer();
    const timer = setTimeout(answer, slowMs);
    held.push(() => {
      clearTimeout(timer);
      answer();
    });
  },
  broken: (response) => response.writeHead(500).end('out of order\u0000'),
  moved: (response) => response.writeHead(301, { location: 'https://good.images.example/hook' }).end(),
  gone: (response) => response.writeHead(410).end(),
  hangs: () => {},
  drops: (_response, _call, request) => request.socket.destroy(),
  drips: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  },
  chatty: (response) => response.end('x'.repeat(100_000)),
};

const { ctx, receiver, sender, send } = openWebhookFixtures(answers);

/** Returns the limits that are met until the test ends. */
function watchMetLimits(): Set<LimitName> {
  const met = new Set<LimitName>();
  onTestFinished(watchLimits((limit) => met.add(limit)));
  return met;
}

describe('a delivery', () => {
  it('is verified by the official library, which rejects every change and old timestamps', async () => {
    const { owner, secret } = await makeEndpoint(sender, 'good');
    const other = await makeEndpoint(sender, 'other');
    const [id] = await makeEvents(sender, owner);
    send();
    const call = await waitUntil(() => receiver.calls.find(({ headers }) => headers['webhook-id'] === id));
    expect(call).toMatchObject({ host: 'good.images.example', path: '/hook' });
    expect(call.headers['content-type']).toBe('application/json; charset=utf-8');
    const event = new Webhook(secret).verify(call.body, call.headers);
    expect(v1EventSchema.parse(event)).toEqual(event);
    expect(event).toMatchObject({ id, type: 'quota.warning', sandbox: false, data: { share: 80 } });
    const refused = (body: string, headers: Record<string, string>, by = secret) =>
      expect(() => new Webhook(by).verify(body, { ...call.headers, ...headers })).toThrow();
    refused(call.body.replace('80', '81'), {});
    refused(call.body, {}, other.secret);
    refused(call.body, { 'webhook-id': other.endpoint.id });
    refused(call.body, { 'webhook-signature': 'v1,AAAA' });
    // A replay: the timestamp is signed, and old ones are rejected.
    refused(call.body, { 'webhook-timestamp': String(Number(call.headers['webhook-timestamp']) + 1) });
    const old = new Date(Date.now() - 301_000);
    const replayed = new Webhook(secret).sign(id ?? '', old, call.body);
    const timestamp = String(Math.floor(old.getTime() / 1_000));
    refused(call.body, { 'webhook-signature': replayed, 'webhook-timestamp': timestamp });
  });

  it('is signed with both secrets during a rotation, and with the new one afterward', async () => {
    const { owner, endpoint, secret: former } = await makeEndpoint(sender, 'rotating');
    const { secret } = await rotateWebhookSecret(sender, { actor: owner, id: endpoint.id, overlapHours: 1 });
    await makeEvents(sender, owner);
    await attempt(sender, endpoint);
    const [both] = receiver.callsOf('rotating');
    for (const each of [former, secret]) new Webhook(each).verify(both?.body ?? '', both?.headers ?? {});
    await ctx.db
      .updateTable('webhookEndpoints')
      .set({ formerUntil: new Date(0) })
      .where('id', '=', endpoint.id)
      .execute();
    await makeEvents(sender, owner);
    await attempt(sender, endpoint);
    const [, alone] = receiver.callsOf('rotating');
    new Webhook(secret).verify(alone?.body ?? '', alone?.headers ?? {});
    expect(() => new Webhook(former).verify(alone?.body ?? '', alone?.headers ?? {})).toThrow();
  });

  it.each([
    ['broken', { answered: 500, error: 'bad_status' }, 'out of order'],
    ['moved', { answered: 301, error: 'redirect' }, ''],
    ['drops', { answered: null, error: 'broken' }, null],
    ['rebound', { answered: null, error: 'not_allowed' }, null],
    ['nobody', { answered: null, error: 'dns' }, null],
    ['refuses', { answered: null, error: 'unreachable' }, null],
  ])('to the endpoint %s is retried, with its error in the log', async (name, outcome, answer) => {
    const { owner, endpoint } = await makeEndpoint(sender, name);
    await makeEvents(sender, owner);
    const before = receiver.callsOf('good').length;
    const resolve = async (host: string) => {
      if (host.startsWith('nobody')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return host.startsWith('rebound') ? ['127.0.0.1'] : receiver.network.resolve(host);
    };
    const dial = name === 'refuses' ? () => ({ address: '127.0.0.1', port: 1 }) : receiver.network.dial;
    const dialled = receiver.dialled.length;
    await attempt({ ...sender, network: { ...receiver.network, resolve, dial } }, endpoint);
    const [delivery] = await readDeliveries(sender, endpoint);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, ...outcome });
    if (name === 'rebound') expect(receiver.dialled).toHaveLength(dialled);
    expect(receiver.callsOf('good')).toHaveLength(before);
    const log = await ctx.db
      .selectFrom('webhookAttempts')
      .selectAll()
      .where('deliveryId', '=', delivery?.id ?? '')
      .execute();
    expect(log).toMatchObject([{ number: 1, answer, ...outcome }]);
    expect(await readEndpoint(sender, endpoint)).toMatchObject({ isActive: true, failingSince: expect.any(Date) });
    // The owner gets one email for the first failure.
    await makeDue(sender, endpoint);
    await attempt({ ...sender, network: { ...receiver.network, resolve, dial } }, endpoint);
    expect(await readMails(sender, owner)).toMatchObject([{ mail: 'webhook_failing', url: endpoint.url }]);
  });

  it('with status 200 is delivered, however long its response body takes', async () => {
    for (const name of ['drips', 'chatty']) {
      const { owner, endpoint } = await makeEndpoint(sender, name);
      await makeEvents(sender, owner);
      await attempt(sender, endpoint);
      expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'delivered', answered: 200 }]);
    }
    const logged = await ctx.db.selectFrom('webhookAttempts').select('answer').where('answer', 'like', 'xx%').execute();
    expect(logged.map(({ answer }) => answer?.length)).toEqual([4_096]);
  });

  it('with a response of 410 fails, disables the endpoint, and sends an email to its owner', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'gone');
    await makeEvents(sender, owner, 3);
    await attempt(sender, endpoint);
    expect(receiver.callsOf('gone')).toHaveLength(1);
    expect(await readEndpoint(sender, endpoint)).toMatchObject({ isActive: false, disabledReason: 'gone' });
    const errors = (await readDeliveries(sender, endpoint)).map(({ status, error }) => `${status} ${error}`);
    expect(errors.toSorted()).toEqual(['failed disabled', 'failed disabled', 'failed gone']);
    expect(await readMails(sender, owner)).toMatchObject([{ mail: 'webhook_disabled', reason: 'gone' }]);
    await makeEvents(sender, owner);
    expect(await readDeliveries(sender, endpoint)).toHaveLength(3);
  });

  it('fails without a request when the plan no longer has webhooks', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'good');
    const before = receiver.calls.length;
    await makeEvents(sender, owner);
    await ctx.db.updateTable('users').set({ tier: 'api_basic' }).where('id', '=', owner.accountId).execute();
    await attempt(sender, endpoint);
    expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'failed', error: 'plan' }]);
    await makeEvents(sender, owner);
    expect(await readDeliveries(sender, endpoint)).toHaveLength(1);
    expect(receiver.calls).toHaveLength(before);
  });
});

describe('the 10 attempts', () => {
  it('take 75 hours, with one ID and new timestamps, and disable the endpoint in the end', async () => {
    const clocked = await openClockedDb(ctx.databaseUrl, new Date());
    onTestFinished(clocked.close);
    const slow = senderOf(ctx, receiver, clocked.db);
    const { owner, endpoint } = await makeEndpoint(slow, 'broken');
    const before = receiver.callsOf('broken').length;
    const [id] = await makeEvents(slow, owner);
    const times: number[] = [];
    const limitsMet = watchMetLimits();
    for (;;) {
      const [delivery] = await readDeliveries(slow, endpoint);
      if (delivery?.status !== 'pending') break;
      // PostgreSQL stores microseconds.
      const due = delivery.nextAt.getTime() + 1;
      await clocked.setClock(new Date(due));
      times.push(due);
      await attempt(slow, endpoint);
    }
    const calls = receiver.callsOf('broken').slice(before);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    const signed = calls.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(signed).toEqual(times.map((time) => Math.floor(time / 1_000)));
    const waits = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 1_000);
    expect(waits).toHaveLength(webhookRetryDelaysS.length);
    expect(limitsMet).toContain('webhook_attempts');
    for (const [at, wait] of waits.entries()) {
      expect(wait / (webhookRetryDelaysS[at] ?? 1)).toBeGreaterThanOrEqual(0.89);
      expect(wait / (webhookRetryDelaysS[at] ?? 1)).toBeLessThanOrEqual(1.11);
    }
    expect(webhookRetryDelaysS.reduce((sum, wait) => sum + wait, 0)).toBe((75 * 60 + 35) * 60 + 5);
    expect(await readEndpoint(slow, endpoint)).toMatchObject({ isActive: false, disabledReason: 'failing' });
    expect((await readMails(slow, owner)).map(({ mail }) => mail)).toEqual(['webhook_failing', 'webhook_disabled']);
  });
});

describe('a sender', () => {
  it('that crashes before it records a response sends the delivery again with the same ID', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'crash');
    const [id] = await makeEvents(sender, owner);
    // The response has arrived, and its record fails to be written.
    const dying = {
      ...sender,
      db: sender.db.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('webhook_attempts'))
            throw new Error('died');
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    };
    await expect(attempt(dying, endpoint)).rejects.toThrow('died');
    expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    await attempt(sender, endpoint);
    expect(receiver.callsOf('crash')).toHaveLength(1);
    await makeDue(sender, endpoint);
    await attempt(sender, endpoint);
    expect(receiver.callsOf('crash').map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  it('ignores the response of an endpoint that was deleted meanwhile', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'deleted');
    await makeEvents(sender, owner);
    const delivered = attempt(sender, endpoint);
    await waitUntil(() => receiver.callsOf('deleted').length > 0);
    await sender.db.deleteFrom('webhookEndpoints').where('id', '=', endpoint.id).execute();
    answerDeleted();
    await delivered;
    expect(await readDeliveries(sender, endpoint)).toEqual([]);
  });

  it('shares deliveries with another one, and sends each event once', async () => {
    const { owner } = await makeEndpoint(sender, 'shared');
    send();
    send();
    const ids = await makeEvents(sender, owner, 40);
    await waitUntil(() => receiver.callsOf('shared').length >= ids.length);
    const left = ctx.db.selectFrom('webhookDeliveries').select('id').where('status', '=', 'pending');
    await waitUntil(async () => (await left.where('eventId', 'in', ids).execute()).length === 0);
    expect(
      receiver
        .callsOf('shared')
        .map(({ headers }) => headers['webhook-id'])
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  it('releases its running deliveries when it stops', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'hangs');
    await makeEvents(sender, owner);
    const running = openWebhookSender(sender, 20);
    await waitUntil(() => receiver.callsOf('hangs').length > 0);
    await running.close();
    expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'pending', step: 0, error: null }]);
    await ctx.db.deleteFrom('webhookEndpoints').where('id', '=', endpoint.id).execute();
  });

  it('delivers to other endpoints while some never respond', async () => {
    const dead = await Promise.all(Array.from({ length: 8 }, () => makeEndpoint(sender, 'hangs')));
    const good = await makeEndpoint(sender, 'prompt');
    const hung = receiver.callsOf('hangs').length;
    for (const { owner } of dead) await makeEvents(sender, owner, 5);
    send();
    await waitUntil(() => receiver.callsOf('hangs').length >= hung + dead.length);
    await makeEvents(sender, good.owner, 20);
    await waitUntil(() => receiver.callsOf('prompt').length === 20);
    // None of the failing deliveries has been abandoned in this time.
    const ends = await Promise.all(dead.map(({ endpoint }) => readDeliveries(sender, endpoint)));
    expect(ends.flat().filter(({ error }) => error !== null)).toEqual([]);
    for (const { endpoint } of dead)
      await ctx.db.deleteFrom('webhookEndpoints').where('id', '=', endpoint.id).execute();
  });

  it('delivers to another account within one request of 80 endpoints that respond slowly', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => makeUser(ctx.db, 'api_pro')));
    for (const owner of owners)
      await Promise.all(Array.from({ length: 20 }, () => makeEndpoint(sender, 'slow', { owner })));
    const quick = await makeEndpoint(sender, 'quick');
    for (const owner of owners) await makeEvents(sender, owner, 12);
    const limitsMet = watchMetLimits();
    send();
    await waitUntil(() => receiver.callsOf('slow').length >= limits.webhookSlots);
    await makeEvents(sender, quick.owner);
    await waitUntil(() => receiver.callsOf('quick').length === 1);
    // The requests that were running, and at most one after each of them.
    const atOnce = limits.webhookSlots * limits.endpointAttempts;
    expect(receiver.callsOf('slow').length).toBeLessThanOrEqual(2 * atOnce);
    expect(limitsMet).toContain('webhook_slots');
    for (const answer of held ?? []) answer();
    held = undefined;
  });
});

describe('resending events', () => {
  it('sends all events since a time again with their IDs', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'again');
    const since = new Date();
    const first = await makeEvents(sender, owner, 2);
    await attempt(sender, endpoint);
    await ctx.db
      .updateTable('webhookEndpoints')
      .set({ isActive: false, disabledReason: 'owner' })
      .where('id', '=', endpoint.id)
      .execute();
    const missed = await makeEvents(sender, owner, 2);
    await expect(resendEvents(sender, { actor: owner, id: endpoint.id, since })).rejects.toMatchObject({
      code: 'webhook_disabled',
    });
    await ctx.db
      .updateTable('webhookEndpoints')
      .set({ isActive: true, disabledReason: null })
      .where('id', '=', endpoint.id)
      .execute();
    expect(await resendEvents(sender, { actor: owner, id: endpoint.id, since })).toBe(4);
    await attempt(sender, endpoint);
    const ids = receiver.callsOf('again').map(({ headers }) => headers['webhook-id']);
    expect(ids.toSorted()).toEqual([...first, ...first, ...missed].toSorted());
    const later = new Date(Date.now() + 60_000);
    await expect(resendEvents(sender, { actor: owner, id: endpoint.id, since: later })).rejects.toMatchObject({
      param: 'since',
    });
  });
});
