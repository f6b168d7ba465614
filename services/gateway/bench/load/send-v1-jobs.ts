import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { makeDistinctImages } from '../support/distinct-images.ts';

/** One client per key submits jobs sequentially and polls each until it is finished. */
export type Clients = { url: string; keys: string[]; jobsEach: number; from: number };
export type ClientsTimes = { submitMs: number[]; pollMs: number[]; seconds: number; ids: string[] };

/** The polling interval of the SDKs. */
const firstPauseMs = 250;
const pauseFactor = 1.5;

const { url, keys, jobsEach, from }: Clients = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true });
const submitMs: number[] = [];
const pollMs: number[] = [];
const ids: string[] = [];

type Call = { method: string; path: string; key: string; body?: Buffer; note: number[] };

function call({ method, path, key, body, note }: Call): Promise<V1Job> {
  const headers = {
    authorization: `Bearer ${key}`,
    prefer: 'respond-async',
    ...(body && { 'content-type': 'image/jpeg', 'content-length': body.length }),
  };
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { agent, method, headers, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () => {
        note.push(performance.now() - start);
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 0) >= 300) reject(new Error(`${response.statusCode} ${text}`));
        else resolve(JSON.parse(text));
      });
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.end(body);
  });
}

async function makeOne(key: string, body: Buffer): Promise<void> {
  const path = '/v1/process?engine=standard&scale=2';
  const { id } = await call({ method: 'POST', path, key, body, note: submitMs });
  for (let pauseMs = firstPauseMs; ; pauseMs *= pauseFactor) {
    await delay(pauseMs);
    const { status } = await call({ method: 'GET', path: `/v1/jobs/${id}`, key, note: pollMs });
    if (status === 'completed') break;
    if (status !== 'queued' && status !== 'processing') throw new Error(`a job is ${status}`);
  }
  ids.push(id);
}

const images = await makeDistinctImages(from, keys.length * jobsEach);
const start = performance.now();
await Promise.all(
  keys.map(async (key, index) => {
    for (const body of images.slice(index * jobsEach, (index + 1) * jobsEach)) await makeOne(key, body);
  }),
);
const seconds = (performance.now() - start) / 1_000;
agent.destroy();
process.send?.({ submitMs, pollMs, seconds, ids } satisfies ClientsTimes);
