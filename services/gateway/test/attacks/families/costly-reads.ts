import { limits } from '@uprez/contracts/policy/limits';
import { makeImage } from '@uprez/testing/make-image';
import { makeMultipart, type Part } from '../../support/http/multipart.ts';
import type { Attack, World } from '../support/attack.ts';
import { call, callJson, repeatFor } from '../support/calls.ts';
import { waitForJobs } from '../support/open-honest-user.ts';
import type { Account } from '../support/sign-up.ts';

const senders = 40;
const files = ['zip', 'manifest.json', 'manifest.csv'];

/** Creates an API key of an account, which gets a plan that allows a batch of all images. */
async function makeKey({ product }: World, { id, cookie }: Account): Promise<string> {
  const changes = { tier: 'api_pro', emailVerified: true } as const;
  await product.db.updateTable('users').set(changes).where('id', '=', id).execute();
  const { url } = product;
  const reply = await callJson({ url, path: '/api/api-keys', headers: { cookie }, body: { name: 'attacker' } });
  if (reply.status > 201) throw new Error(`the key was refused: ${reply.status} ${reply.text}`);
  return JSON.parse(reply.text).key;
}

/** Processes as many small images as a batch may have. Returns the path of the batch. */
async function makeLargeBatch({ product }: World, { id }: Account, authorization: string): Promise<string> {
  const parts: Part[] = [{ name: 'engine', data: 'standard' }];
  for (let seed = 1; seed <= limits.batchItems; seed += 1) {
    const data = await makeImage({ width: 16, height: 16, seed });
    parts.push({ name: 'images', filename: `${seed}.png`, data });
  }
  const { body, contentType } = makeMultipart(parts);
  const headers = { authorization, 'content-type': contentType, prefer: 'respond-async' };
  const reply = await call({ url: product.url, method: 'POST', path: '/v1/batches', headers, body });
  if (reply.status > 202) throw new Error(`the batch was refused: ${reply.status} ${reply.text}`);
  await waitForJobs(product.db, id);
  return String(reply.headers.location);
}

/** An account that reads a full batch, its archive, and its manifests without a pause, with many connections. */
export const costlyReads: Attack = {
  name: 'costly-reads',
  seconds: 8,
  prepare: async (world) => {
    const account = await world.signUp();
    const authorization = `Bearer ${await makeKey(world, account)}`;
    return { authorization, batch: await makeLargeBatch(world, account, authorization) };
  },
  run: async ({ url, seconds, input }) => {
    const { authorization, batch = '' } = input;
    const served = { batches: 0, archives: 0, limited: 0, failed: 0 };
    const errors = await repeatFor({ seconds, senders }, async (at) => {
      // Mostly batches, because archives and manifests are limited to fewer requests.
      const file = at % 4 === 0 ? files[(at / 4) % files.length] : undefined;
      const { status } = await call({ url, path: file ? `${batch}/${file}` : batch, headers: { authorization } });
      if (status === 429) served.limited += 1;
      else if (status !== 200) served.failed += 1;
      else if (file) served.archives += 1;
      else served.batches += 1;
    });
    return { ...served, errors };
  },
  check: ({ facts }) => ({
    'batches, archives, and manifests are served': (facts.batches ?? 0) > 0 && (facts.archives ?? 0) > 0,
    'no read fails': facts.failed === 0 && facts.errors === 0,
  }),
};
