import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { type ProbeState, type StatusService, statusRules, statusServices } from '@uprez/contracts/policy/status';
import { publicReadinessSchema } from '@uprez/contracts/schemas/health';
import { type ProbeAccount, probeJobSchema } from '@uprez/contracts/schemas/status';
import { readClock } from '@uprez/db/times';
import { ensureProbeAccount, keepProbeAccount } from '@uprez/domain/status/probing/probe-account';
import { findDownload, findLatestRound, readInboxLag, readSignal } from '@uprez/domain/status/probing/read-probes';
import {
  type Attempt,
  assessJobs,
  confirmFailure,
  type ProbeResult,
  recordRound,
} from '@uprez/domain/status/probing/record-round';
import { probeObjectKey } from '@uprez/storage/object-keys';
import type { Deps } from '../deps.ts';

export type ProbeDeps = Pick<Deps, 'db' | 'storage' | 'vault' | 'config'>;
type ProbeFinding = { state: ProbeState; detail: string };
/** `wait`: waits between a failed attempt and the next one. `timeoutS`: timeout of an attempt, in seconds. */
export type ProbeOptions = { wait: (seconds: number) => Promise<void>; timeoutS: number };

const upFinding: ProbeFinding = { state: 'up', detail: '' };
const defaults: ProbeOptions = {
  wait: (seconds) => delay(seconds * 1_000),
  timeoutS: statusRules.attemptTimeoutS,
};
const maxDetailLength = 300;
/**
 * Minimum age of the latest round before a new round starts, in seconds. Slightly below the probe interval, because the
 * task itself runs every few seconds.
 */
const minRoundAgeS = statusRules.probeIntervalS - 5;

/** A probe returns undefined if it has nothing to probe yet. */
async function makeAttempts(deps: ProbeDeps): Promise<Record<StatusService, Attempt<ProbeFinding | undefined>>> {
  const client = makeProbeClient(deps.config.PUBLIC_URL);
  const account = await ensureProbeAccount(deps);
  const checking = { client, account };
  return {
    api: (signal) => checkApi(checking, signal).then(() => upFinding),
    web: (signal) => checkWeb(client, signal).then(() => upFinding),
    upload: (signal) => checkUpload(deps, client, signal).then(() => upFinding),
    authentication: async (signal) => {
      const device = await checkAuthentication(client, account, signal);
      if (device && device !== account.device) await keepProbeAccount(deps, { ...account, device });
      return upFinding;
    },
    payments: () => checkPayments(deps),
    delivery: async (signal) => ((await checkDelivery(deps, checking, signal)) ? upFinding : undefined),
  };
}

async function probeService(
  service: StatusService,
  attempt: Attempt<ProbeFinding | undefined>,
  { wait, timeoutS }: ProbeOptions,
): Promise<ProbeResult | undefined> {
  const makeSignal = () => AbortSignal.timeout(timeoutS * 1_000);
  const startOfAttempt = { ms: 0 };
  const timed: typeof attempt = (signal) => {
    startOfAttempt.ms = performance.now();
    return attempt(signal);
  };
  try {
    const found = await confirmFailure(timed, { wait, makeSignal });
    const ms = Math.round(performance.now() - startOfAttempt.ms);
    return found && { service, ms: found.state === 'unconfigured' ? null : ms, ...found };
  } catch (error) {
    const detail = (error instanceof Error ? error.message : String(error)).slice(0, maxDetailLength);
    return { service, state: error instanceof MaintenanceError ? 'maintenance' : 'down', ms: null, detail };
  }
}

/** Probes all services and returns the results without storing them. */
export async function probeServices(deps: ProbeDeps, probing: ProbeOptions): Promise<ProbeResult[]> {
  const attempts = await makeAttempts(deps);
  const found = await Promise.all(statusServices.map((service) => probeService(service, attempts[service], probing)));
  // In the first round, a result to download exists only after the API has been probed.
  const isFirst = !found.some((result) => result?.service === 'delivery');
  if (isFirst) found.push(await probeService('delivery', attempts.delivery, probing));
  const results = found.filter((result) => result !== undefined);
  const jobs = assessJobs(await readSignal(deps));
  return results.map((result) => (result.service === 'api' && result.state === 'up' ? { ...result, ...jobs } : result));
}

/** Probes all services and stores the results, unless the latest round is recent. Returns whether it probed them. */
export async function runProbes(deps: ProbeDeps, probing = defaults): Promise<boolean> {
  const latest = await findLatestRound(deps);
  const now = await readClock(deps.db);
  if (latest && now.getTime() - latest.getTime() < minRoundAgeS * 1_000) return false;
  const results = await probeServices(deps, probing);
  await recordRound(deps, { at: await readClock(deps.db), results });
  return true;
}

const pollMs = 300;

type ProbeContext = { client: ProbeClient; account: ProbeAccount };
const toAuthHeaders = ({ apiKey }: ProbeAccount) => ({ authorization: `Bearer ${apiKey}` });

/** Throws unless the job is completed before the signal aborts. */
async function checkApi({ client, account }: ProbeContext, signal: AbortSignal): Promise<void> {
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(makeProbeImage())], { type: 'image/png' }), 'probe.png');
  body.set('scale', '2');
  body.set('engine', 'standard');
  const headers = toAuthHeaders(account);
  let job = await readJob(await client.send(`${sandbox.prefix}/process`, { method: 'POST', headers, body, signal }));
  while (job.status === 'queued' || job.status === 'processing') {
    // Replaces the error that `delay` throws when it is aborted, because that error doesn't name a reason.
    await delay(pollMs, undefined, { signal }).catch(() => {
      throw new Error(`The job is still ${job.status}`);
    });
    job = await readJob(await client.send(`${sandbox.prefix}/jobs/${job.id}`, { headers, signal }));
  }
  if (job.status !== 'completed') throw new Error(`The job is ${job.status}: ${job.error?.code ?? 'no reason'}`);
}

const readJob = async (response: Response) => probeJobSchema.parse(await response.json());

/** Downloads the latest result from its signed URL and compares its SHA-256. Returns false if no result exists. */
async function checkDelivery(
  deps: Pick<Deps, 'db'>,
  { client, account }: ProbeContext,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await findDownload(deps, account.id);
  if (!found) return false;
  const path = `${sandbox.prefix}/jobs/${found.jobId}`;
  const job = await readJob(await client.send(path, { headers: toAuthHeaders(account), signal }));
  if (!job.download_url) throw new Error('The job has no download URL');
  const bytes = Buffer.from(await (await client.send(pathOf(job.download_url), { signal })).arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== found.sha256) throw new Error('The downloaded bytes differ');
  return true;
}

const side = 64;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function makePngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A grayscale PNG (w3.org/TR/png). Random, because the API could otherwise return a stored result. */
function makeProbeImage(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits per pixel; color type, compression, filter, and interlacing are 0.
  header.writeUInt8(8, 8);
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side)]));
  const pixels = deflateSync(Buffer.concat(rows));
  return Buffer.concat([
    signature,
    makePngChunk('IHDR', header),
    makePngChunk('IDAT', pixels),
    makePngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const objectBytes = 64 * 1024;

async function checkWeb(client: ProbeClient, signal: AbortSignal): Promise<void> {
  const page = await client.send('/', { headers: { accept: 'text/html' }, signal });
  const asset = /(?:src|href)="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  if (!asset) throw new Error('The page names no script');
  await (await client.send(asset, { signal })).arrayBuffer();
}

async function checkUpload(
  { storage }: Pick<Deps, 'storage'>,
  client: ProbeClient,
  signal: AbortSignal,
): Promise<void> {
  const readiness = await (await client.send(apiRoutes.readiness.path, { signal })).json();
  const { checks } = publicReadinessSchema.parse(readiness);
  if (checks.storage !== 'ok') throw new Error('The gateway reports that its storage failed');
  const bytes = randomBytes(objectBytes);
  try {
    const { sha256 } = await storage.put(probeObjectKey, Readable.from([bytes]), { signal });
    const { stream } = await storage.get(probeObjectKey, { signal, sha256 });
    if (!bytes.equals(await buffer(stream))) throw new Error('The stored bytes differ');
  } finally {
    await storage.deleteMany([probeObjectKey]);
  }
}

const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

/** Returns the device cookie, which the next sign-in sends. */
async function checkAuthentication(
  client: ProbeClient,
  { email, password, device }: ProbeAccount,
  signal: AbortSignal,
): Promise<string | undefined> {
  const json = { 'content-type': 'application/json' };
  const signedIn = await client.send(apiRoutes.login.path, {
    method: 'POST',
    headers: { ...json, ...(device && { cookie: device }) },
    body: JSON.stringify({ email, password }),
    signal,
  });
  const cookies = cookiesOf(signedIn);
  const headers = { cookie: cookies.join('; ') };
  await client.send(apiRoutes.user.path, { headers, signal });
  await client.send(apiRoutes.logout.path, { method: 'POST', headers, signal });
  return cookies.find((cookie) => cookie.includes('-device='));
}

/** Thrown in maintenance mode, which isn't a failure of a service. */
class MaintenanceError extends Error {}

type ProbeRequest = {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
};

type ProbeClient = {
  /** Sends a request to a path. Throws for a status other than 2xx, and MaintenanceError in maintenance mode. */
  send: (path: string, request: ProbeRequest) => Promise<Response>;
};

const makeProbeClient = (publicUrl: string): ProbeClient => ({
  send: async (path, request) => {
    const response = await fetch(new URL(path, publicUrl), { ...request, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new Error(`${path}: ${reasonOf(error)}`);
      },
    );
    if (response.ok) return response;
    const code = await readCode(response);
    if (code === 'maintenance') throw new MaintenanceError('The site is in maintenance mode');
    throw new Error(`${path}: ${[response.status, code].filter(Boolean).join(' ')}`);
  },
});

/** Pages have it in a header, API responses in the body. */
async function readCode(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => '');
  return response.headers.get(errorCodeHeader) ?? /"code":"(\w+)"/.exec(text)?.[1];
}

/** `fetch` hides the reason of a failed connection in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/**
 * Returns the path and query of a URL. Drops the host, because links in responses may have a different host from the
 * probes' URL.
 */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}

/**
 * Calls the payment provider, and checks whether events have been waiting for too long. Throws if the provider can't be
 * reached.
 */
async function checkPayments({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<ProbeFinding> {
  if (!config.payments) return { state: 'unconfigured', detail: '' };
  // Imports Stripe's SDK only here, because it isn't needed without Stripe's keys.
  const { readAccountOnce } = await import('@uprez/domain/billing/ensure-stripe-account');
  await readAccountOnce(config.payments);
  const lagS = await readInboxLag({ db });
  if (lagS <= statusRules.inboxLagS) return { state: 'up', detail: '' };
  return { state: 'degraded', detail: `An event has been waiting for ${Math.round(lagS)} seconds` };
}
