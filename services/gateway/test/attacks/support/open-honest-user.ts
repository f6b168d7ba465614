import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@uprez/db/database';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { call, callJson, networkAddressOf, type Reply, uploadForm } from './calls.ts';
import { password, signUpFrom } from './sign-up.ts';

/** Milliseconds: of reads, of sign-ins, of uploads until they are accepted, and of small jobs until their end. */
export type Samples = Record<'reads' | 'sign-ins' | 'uploads' | 'jobs', number[]> & { errors: string[] };
export type HonestUser = Awaited<ReturnType<typeof openHonestUser>>;

/** Below the rate limits: 1,200 reads, and 120 uploads on the Pro plan, per minute. */
const readEveryMs = 60;
const uploadEveryMs = 700;
const signInEveryMs = 500;
/** People who sign in by turns, each time from a new device and another network. One person doesn't sign in that often. */
const people = 10;
const signInBlock = 201;
const readPaths = ['/api/jobs', '/api/plans'];

/** Calls `send` at equal intervals, whether or not earlier calls have ended, and waits for all of them. */
async function callEvery(everyMs: number, until: AbortSignal, send: (at: number) => Promise<void>): Promise<void> {
  const sent: Promise<void>[] = [];
  const start = performance.now();
  while (!until.aborted) {
    sent.push(send(sent.length));
    await delay(Math.max(0, start + sent.length * everyMs - performance.now()));
  }
  await Promise.all(sent);
}

/** Signs up a user on the Pro plan who does ordinary things: signs in, reads lists, uploads small images, and waits for results. */
export async function openHonestUser({ url, db }: { url: string; db: Db }) {
  const { id, cookie } = await signUpFrom(url);
  const others = await Promise.all(Array.from({ length: people }, () => signUpFrom(url)));
  await db.updateTable('users').set({ tier: 'pro' }).where('id', '=', id).execute();
  // Connections that a slow moment opens don't stay.
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 2 });
  const photo = await makeImage({ width: 96, height: 64, format: 'jpeg' });
  let uploads = 0;
  let signIns = 0;
  /** Bytes after the end of a JPEG are ignored, so each upload is another file. */
  const nextPhoto = () => {
    uploads += 1;
    return Buffer.concat([photo, Buffer.from(String(uploads))]);
  };
  const timed = async (into: number[], errors: string[], send: () => Promise<Reply>) => {
    const start = performance.now();
    const reply = await send().catch((error: unknown) => ({ status: 0, text: String(error) }));
    if (reply.status < 200 || reply.status > 202) errors.push(`${reply.status} ${reply.text.slice(0, 200)}`);
    else into.push(performance.now() - start);
    return reply;
  };
  const jobTimes = async (ids: readonly string[]) => {
    if (ids.length === 0) return [];
    const rows = await db.selectFrom('jobs').select(['createdAt', 'finishedAt']).where('id', 'in', ids).execute();
    return rows.map(({ createdAt, finishedAt }) => Number(finishedAt) - Number(createdAt));
  };
  return {
    id,
    /** Uses the product until the signal aborts, and waits for the end of everything that was started. */
    measure: async (until: AbortSignal): Promise<Samples> => {
      const samples: Samples = { reads: [], 'sign-ins': [], uploads: [], jobs: [], errors: [] };
      const ids: string[] = [];
      const read = async (at: number) => {
        const path = readPaths[at % readPaths.length] ?? '';
        await timed(samples.reads, samples.errors, () => call({ url, path, headers: { cookie }, agent }));
      };
      const upload = async () => {
        const form = uploadForm(cookie, nextPhoto(), { scaleFactor: '2' });
        const reply = await timed(samples.uploads, samples.errors, () => call({ url, agent, ...form }));
        if (reply.status === 202) ids.push(JSON.parse(reply.text).id);
      };
      const signIn = async () => {
        signIns += 1;
        const body = { email: others[signIns % people]?.email, password };
        const from = networkAddressOf(signInBlock, signIns);
        const send = () => callJson({ url, path: '/api/login', body, from });
        await timed(samples['sign-ins'], samples.errors, send);
      };
      await Promise.all([
        callEvery(readEveryMs, until, read),
        callEvery(signInEveryMs, until, signIn),
        callEvery(uploadEveryMs, until, upload),
      ]);
      await waitForJobs(db, id);
      return { ...samples, jobs: await jobTimes(ids) };
    },
    close: () => agent.destroy(),
  };
}

const unfinished = ['queued', 'processing'] as const;

/** Waits until all jobs have ended: those of an account, or of all. */
export async function waitForJobs(db: Db, accountId?: string): Promise<void> {
  const open = db.selectFrom('jobs').select('id').where('status', 'in', unfinished).limit(1);
  const own = accountId === undefined ? open : open.where('accountId', '=', accountId);
  await waitUntil(async () => (await own.executeTakeFirst()) === undefined, {
    timeoutMs: 180_000,
    everyMs: 100,
    what: 'the end of all jobs',
  });
}
