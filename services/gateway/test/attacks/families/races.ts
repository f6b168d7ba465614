import { setTimeout as delay } from 'node:timers/promises';
import { makeImage } from '@uprez/testing/make-image';
import { setUnitsLeft } from '../../support/set-units-left.ts';
import type { Attack, Found, Input, Target, World } from '../support/attack.ts';
import { addressOf, type Call, call, callJson, type Reply } from '../support/calls.ts';

const parallel = 50;
const unitsLeft = 10;

/** Signs up an account with an API key. */
async function makeKey({ product, signUp }: World): Promise<{ id: string; key: string }> {
  const { id, cookie } = await signUp();
  await product.db.updateTable('users').set({ tier: 'api_pro', emailVerified: true }).where('id', '=', id).execute();
  const body = { name: 'races' };
  const reply = await callJson({ url: product.url, path: '/api/api-keys', headers: { cookie }, body });
  return { id, key: JSON.parse(reply.text).key };
}

async function prepare(world: World): Promise<Input> {
  const [free, poor] = [await makeKey(world), await makeKey(world)];
  // The first call opens the period.
  const headers = { authorization: `Bearer ${poor.key}` };
  await call({ url: world.product.url, path: '/v1/account', headers });
  await setUnitsLeft(world.product.db, { accountId: poor.id, meter: 'shared', units: unitsLeft });
  const image = await makeImage({ width: 48, height: 48, format: 'jpeg' });
  return { free: free.key, poor: poor.key, poorId: poor.id, image: image.toString('base64') };
}

/** Retries while the service is overloaded, as SDKs do. On a busy machine, 50 requests at once may be too many. */
async function callWithRetry(options: Call): Promise<Reply> {
  const reply = await call(options);
  if (reply.status !== 503) return reply;
  await delay(1_000 * Number(reply.headers['retry-after'] ?? 1));
  return callWithRetry(options);
}

/** Sends 50 requests at once. */
const atOnce = (send: (at: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: parallel }, (_, at) => send(at)));
const count = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status).length;
const errors = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 0 || status >= 500).length;

/** Equal requests at once: with one idempotency key, to cancel one job, and for more credits than there are. */
async function race({ url, input }: Target) {
  const image = Buffer.from(input.image ?? '', 'base64');
  const submit = (key: string, name: string, headers: Record<string, string> = {}) =>
    callWithRetry({
      url,
      from: addressOf(11, 0),
      method: 'POST',
      path: '/v1/process?engine=standard&scale=2',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg', prefer: 'respond-async', ...headers },
      body: Buffer.concat([image, Buffer.from(name)]),
    });
  const free = input.free ?? '';
  const same = await atOnce(() => submit(free, 'same', { 'idempotency-key': 'races' }));
  const ids = new Set(same.filter(({ status }) => status < 300).map(({ text }) => JSON.parse(text).id));
  const { id } = JSON.parse((await submit(free, 'canceled')).text);
  const cancel = { url, method: 'DELETE', path: `/v1/jobs/${id}`, headers: { authorization: `Bearer ${free}` } };
  const canceled = await atOnce(() => callWithRetry(cancel));
  const poor = await atOnce((at) => submit(input.poor ?? '', `poor ${at}`));
  return {
    jobsOfOneKey: ids.size,
    conflicts: count(same, 409),
    canceled: count(canceled, 200),
    // 200: the result was ready at once.
    accepted: count(poor, 202) + count(poor, 200),
    errors: errors([...same, ...canceled, ...poor]),
  };
}

async function check({ world, facts, input }: Found) {
  const { errors: wrong } = await world.product.settle(60_000);
  const allowances = await world.product.db
    .selectFrom('allowances')
    .select('unitsLeft')
    .where('accountId', '=', input.poorId ?? '')
    .execute();
  return {
    'one job has the idempotency key': facts.jobsOfOneKey === 1,
    'all cancellations are answered': facts.canceled === parallel,
    'as many jobs are accepted as there are credits': facts.accepted === unitsLeft,
    'no credit is left, and none is missing': allowances.every((allowance) => allowance.unitsLeft === 0),
    'no call fails with an internal error': facts.errors === 0,
    'the ledger is consistent': wrong.length === 0,
  };
}

export const races: Attack = {
  name: 'races',
  seconds: 8,
  prepare,
  run: race,
  check,
  warnings: /timeout exceeded when trying to connect/,
};
