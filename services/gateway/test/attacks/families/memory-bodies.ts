import type { Attack, Input, Target, World } from '../support/attack.ts';
import { addressOf, call, callJson } from '../support/calls.ts';

const accounts = 40;
const callsPerAccount = 4;
/** JSON of about 14 MB. The image in it is smaller than the largest one of the sandbox. */
const base64Bytes = 13_900_000;
const mostMb = 400;

const image = 'A'.repeat(base64Bytes);
/** Each account sends as many of both. */
const bodies = [
  { path: '/v1/process', text: JSON.stringify({ engine: 'standard', scale: 2, image }) },
  {
    path: '/mcp',
    text: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'upscale_image', arguments: { image, engine: 'standard', scale_factor: 2 } },
    }),
  },
];

/** Accounts on the Free plan have keys of the sandbox. */
async function prepare({ product, signUp }: World): Promise<Input> {
  const keys: string[] = [];
  for (let at = 0; at < accounts; at += 1) {
    const { id, cookie } = await signUp();
    await product.db.updateTable('users').set({ emailVerified: true }).where('id', '=', id).execute();
    const body = { name: 'memory-bodies', kind: 'test' };
    const reply = await callJson({ url: product.url, path: '/api/api-keys', headers: { cookie }, body });
    keys.push(String(JSON.parse(reply.text).key));
  }
  return { keys: keys.join(' ') };
}

/** Base64 images in JSON bodies that many accounts send at once. */
async function send({ url, input }: Target) {
  const keys = (input.keys ?? '').split(' ');
  const facts = { sent: 0, answered: 0, busy: 0, failed: 0, secondsMost: 0 };
  const sendOne = async (at: number) => {
    const start = performance.now();
    const { path, text } = bodies[at % bodies.length] ?? { path: '', text: '' };
    const { status } = await call({
      url,
      path,
      from: addressOf(9, at % accounts),
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[at % accounts]}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(text),
      },
      body: text,
    }).catch(() => ({ status: 0 }));
    facts.sent += 1;
    if (status === 503) facts.busy += 1;
    else if (status === 0 || status >= 500) facts.failed += 1;
    else facts.answered += 1;
    facts.secondsMost = Math.max(facts.secondsMost, (performance.now() - start) / 1_000);
  };
  // Each account sends to both paths.
  await Promise.all(
    Array.from({ length: accounts * callsPerAccount }, (_, at) => sendOne(at + Math.floor(at / accounts))),
  );
  return facts;
}

export const memoryBodies: Attack = {
  name: 'memory-bodies',
  seconds: 10,
  prepare,
  run: send,
  check: ({ facts, before, peak }) => ({
    'some calls are answered': (facts.answered ?? 0) > 0,
    [`the memory of the gateway grows by at most ${mostMb} MB`]:
      (peak.gateway?.memoryMb ?? Infinity) <= (before.gateway?.memoryMb ?? 0) + mostMb,
  }),
};
