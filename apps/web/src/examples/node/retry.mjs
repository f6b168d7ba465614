import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

// Requests with the same key create and charge one job only.
// After a crash, pass the printed key: node retry.mjs KEY
const key = process.argv[2] ?? crypto.randomUUID();
console.error(`key: ${key}`);
const headers = { Authorization: 'Bearer YOUR_API_KEY' };
const upload = {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'image/jpeg', 'Idempotency-Key': key },
  body: await readFile('photo.jpg'),
};

async function send(url, init, attempt = 1) {
  const response = await fetch(url, init).catch(() => undefined);
  if (response?.ok) return response.json();
  const canRetry = !response || response.status === 429 || response.status >= 500;
  const pause = Number(response?.headers.get('Retry-After') ?? 2 ** attempt);
  // A longer pause is that of a daily limit.
  if (canRetry && attempt < 5 && pause <= 60) {
    await wait(1_000 * pause);
    return send(url, init, attempt + 1);
  }
  const { code, param, hint } = response ? await response.json() : { code: 'unreachable' };
  throw new Error([code, param, hint].filter(Boolean).join(' · '));
}

let job = await send('https://uprez.example/v1/process?scale=2', upload);
while (job.status === 'queued' || job.status === 'processing') {
  await wait(1_000);
  job = await send(job.status_url, { headers });
}
if (!job.download_url) throw new Error(job.error?.message ?? job.status);

const result = await fetch(job.download_url);
await writeFile('upscaled.jpg', Buffer.from(await result.arrayBuffer()));
