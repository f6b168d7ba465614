import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { type ProbeAccount, probeJobSchema } from '@uprez/contracts/schemas/probes';
import { findDownload } from '@uprez/domain/status/probing/probe-facts';
import type { Deps } from '../deps.ts';
import { makeProbeImage } from './make-probe-image.ts';
import { type ProbeClient, pathOf } from './probe-client.ts';

const pollMs = 300;

type Checking = { client: ProbeClient; account: ProbeAccount };
const authorize = ({ apiKey }: ProbeAccount) => ({ authorization: `Bearer ${apiKey}` });

/** Resizes an image through the API. Throws unless the job is completed in time. */
export async function checkApi({ client, account }: Checking, signal: AbortSignal): Promise<void> {
  const body = new FormData();
  body.set('image', new Blob([new Uint8Array(makeProbeImage())], { type: 'image/png' }), 'probe.png');
  body.set('scale', '2');
  body.set('engine', 'standard');
  const headers = authorize(account);
  let job = await readJob(await client.send(`${sandbox.prefix}/process`, { method: 'POST', headers, body, signal }));
  while (job.status === 'queued' || job.status === 'processing') {
    // Aborted, it throws an error without a reason.
    await delay(pollMs, undefined, { signal }).catch(() => {
      throw new Error(`The job is still ${job.status}`);
    });
    job = await readJob(await client.send(`${sandbox.prefix}/jobs/${job.id}`, { headers, signal }));
  }
  if (job.status !== 'completed') throw new Error(`The job is ${job.status}: ${job.error?.code ?? 'no reason'}`);
}

const readJob = async (response: Response) => probeJobSchema.parse(await response.json());

/** Downloads the latest result by its signed URL, and compares its SHA-256. False: there is none. */
export async function checkDelivery(
  deps: Pick<Deps, 'db'>,
  { client, account }: Checking,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await findDownload(deps, account.id);
  if (!found) return false;
  const path = `${sandbox.prefix}/jobs/${found.jobId}`;
  const job = await readJob(await client.send(path, { headers: authorize(account), signal }));
  if (!job.download_url) throw new Error('The job has no download URL');
  const bytes = Buffer.from(await (await client.send(pathOf(job.download_url), { signal })).arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== found.sha256) throw new Error('The downloaded bytes differ');
  return true;
}
