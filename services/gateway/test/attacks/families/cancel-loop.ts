import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { getFreeCancelSeconds } from '@uprez/contracts/policy/free-jobs';
import { makePngFile } from '../../../../../packages/imaging/test/hostile/png-file.ts';
import type { Attack, Found, Target } from '../support/attack.ts';
import { addressOf, call, uploadForm } from '../support/calls.ts';

const pollMs = 200;
/** How long after the end of the free time a job is canceled, milliseconds. */
const lateMs = 1_000;
const rounds = 2;
const from = addressOf(9, 0);
/** A job that runs when another user's job starts ends at most this late: free time and margin, and starting a process. */
const longestRunMs = 20_000;

const read = async (url: string, cookie: string, id: string) =>
  JSON.parse((await call({ url, from, path: `/api/jobs/${id}`, headers: { cookie } })).text);

/** Cancels a heavy job after its free time. Returns the credits that it cost, or -1 when it ended before. */
async function cancelLate(url: string, cookie: string, image: Buffer): Promise<number> {
  const form = uploadForm(cookie, image, { scaleFactor: '1.4', format: 'png' });
  const created = await call({ url, from, ...form });
  if (created.status !== 202) throw new Error(`upload returned ${created.status} ${created.text}`);
  const { id } = JSON.parse(created.text);
  for (;;) {
    const { status, freeCancelUntil } = await read(url, cookie, id);
    if (freeCancelUntil !== undefined && Date.now() > Date.parse(freeCancelUntil) + lateMs) break;
    if (status !== 'queued' && status !== 'processing') return -1;
    await delay(pollMs);
  }
  const canceled = await call({ url, from, method: 'DELETE', path: `/api/jobs/${id}`, headers: { cookie } });
  return JSON.parse(canceled.text).credits ?? -1;
}

/** Heavy jobs that are canceled late, again and again. */
async function loop({ url, input }: Target) {
  const image = makeNoisyPng();
  const facts = { late: 0, charged: 0, ended: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const credits = await cancelLate(url, input.cookie ?? '', image);
    if (credits < 0) facts.ended += 1;
    else facts.late += 1;
    if (credits > 0) facts.charged += credits;
  }
  return facts;
}

async function check({ world, facts, input }: Found) {
  const { db } = world.product;
  const account = await db
    .selectFrom('users')
    .select('virtualTime')
    .where('id', '=', input.id ?? '')
    .executeTakeFirstOrThrow();
  const jobs = await db
    .selectFrom('jobs')
    .select(['usedSeconds', 'plan'])
    .where('accountId', '=', input.id ?? '')
    .execute();
  const used = jobs.reduce((sum, job) => sum + job.usedSeconds, 0);
  return {
    'jobs were canceled late': (facts.late ?? 0) > 0,
    'each late cancellation is charged': facts.charged === facts.late,
    'canceling was free only as long as documented': jobs.every(
      ({ usedSeconds, plan }) => usedSeconds >= getFreeCancelSeconds(plan.estimate.seconds),
    ),
    // The weight of the Free plan is 1.
    'the seconds used are counted in the queue': account.virtualTime >= used,
  };
}

export const cancelLoop: Attack = {
  name: 'cancel-loop',
  seconds: 0,
  prepare: async (world) => {
    const { id, cookie } = await world.signUp();
    return { id, cookie };
  },
  run: loop,
  check,
  runningJobMs: longestRunMs,
};

/**
 * A PNG of 100 megapixels in less than 1 MB: one bit per pixel, and the same 16 rows of noise again and again, which
 * compress slowly when upscaled.
 */
function makeNoisyPng(): Buffer {
  const side = 10_000;
  const repeated = Buffer.concat(Array.from({ length: 16 }, () => Buffer.of(0, ...randomBytes(side / 8))));
  const rows = Buffer.alloc((1 + side / 8) * side, repeated);
  if (deflateSync(rows).length > 1_000_000) throw new Error('the image is not small');
  return makePngFile({ width: side, height: side, bits: 1, rows });
}
