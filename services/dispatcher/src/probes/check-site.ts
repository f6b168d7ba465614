import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { publicReadinessSchema } from '@uprez/contracts/schemas/health';
import type { ProbeAccount } from '@uprez/contracts/schemas/probes';
import { probeObjectKey } from '@uprez/storage/object-keys';
import type { Deps } from '../deps.ts';
import type { ProbeClient } from './probe-client.ts';

const objectBytes = 64 * 1024;

/** Loads the home page, and a script that it names. */
export async function checkWeb(client: ProbeClient, signal: AbortSignal): Promise<void> {
  const page = await client.send('/', { headers: { accept: 'text/html' }, signal });
  const asset = /(?:src|href)="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  if (!asset) throw new Error('The page names no script');
  await (await client.send(asset, { signal })).arrayBuffer();
}

/** Stores, reads, and deletes an object, and asks the gateway whether it can store uploads. */
export async function checkUpload(
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

/** The name and the value of each cookie of a response. */
const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

/** Signs in and out. Returns the cookie of the device, which the next sign-in sends. */
export async function checkAuthentication(
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
