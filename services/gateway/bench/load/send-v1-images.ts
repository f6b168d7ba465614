import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { makeDistinctImages } from '../support/distinct-images.ts';

/**
 * How a client gets its images. `call`: in the response. `wait`: from the link in the response. `poll`: by submitting,
 * polling, and downloading, as the SDKs do.
 */
export type Way = 'call' | 'wait' | 'poll';
/** One client per key gets its images one by one. */
export type ImageClients = { url: string; keys: string[]; imagesEach: number; from: number; way: Way };
/** `imageMs`: from the first byte sent to the last byte of the image. */
export type ImageTimes = { imageMs: number[]; seconds: number };

/** The polling interval of the SDKs. */
const firstPauseMs = 250;
const pauseFactor = 1.5;

const { url, keys, imagesEach, from, way }: ImageClients = JSON.parse(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true });

type Call = { path: string; key: string; body?: Buffer; headers?: Record<string, string> };

function call({ path, key, body, headers }: Call): Promise<Buffer> {
  const sent = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'image/jpeg' }), ...headers };
  const method = body ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { agent, method, headers: sent, timeout: 60_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () => {
        const received = Buffer.concat(chunks);
        if ((response.statusCode ?? 0) < 300) resolve(received);
        else reject(new Error(`${response.statusCode} ${received}`));
      });
    });
    request.once('error', reject).once('timeout', () => request.destroy(new Error('timeout')));
    request.end(body);
  });
}

const path = '/v1/process?engine=standard&scale=2';
const readJob = (bytes: Buffer): V1Job => JSON.parse(String(bytes));
const prefer = (preference: string) => ({ prefer: preference });
const download = async (key: string, link: string | null) => {
  const { pathname, search } = new URL(link ?? '');
  return call({ path: pathname + search, key });
};

const getImage: Record<Way, (key: string, body: Buffer) => Promise<Buffer>> = {
  call: (key, body) => call({ path, key, body, headers: { accept: 'image/*', ...prefer('wait=60') } }),
  wait: async (key, body) =>
    download(key, readJob(await call({ path, key, body, headers: prefer('wait=60') })).download_url),
  poll: async (key, body) => {
    let job = readJob(await call({ path, key, body, headers: prefer('respond-async') }));
    for (let pauseMs = firstPauseMs; !job.download_url; pauseMs *= pauseFactor) {
      await delay(pauseMs);
      job = readJob(await call({ path: `/v1/jobs/${job.id}`, key }));
    }
    return download(key, job.download_url);
  },
};

const images = await makeDistinctImages(from, keys.length * imagesEach);
const imageMs: number[] = [];
const start = performance.now();
await Promise.all(
  keys.map(async (key, index) => {
    for (const body of images.slice(index * imagesEach, (index + 1) * imagesEach)) {
      const sentAt = performance.now();
      const image = await getImage[way](key, body);
      if (image.readUInt16BE() !== 0xffd8) throw new Error('a response is no JPEG');
      imageMs.push(performance.now() - sentAt);
    }
  }),
);
const seconds = (performance.now() - start) / 1_000;
agent.destroy();
process.send?.({ imageMs, seconds } satisfies ImageTimes);
