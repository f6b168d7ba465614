import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { beforeEach, expect, it } from 'vitest';
import { makeByteBudget } from '../../src/http/bodies/body-budgets.ts';
import { sendContact } from '../support/contact.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { openV1Caller, raw } from '../support/v1-calls.ts';

const bytes = 2_000_000;
/** Chunks have up to what is buffered, and 64 KiB. */
const leastTurns = Math.floor(bytes / 131_072);

const queue = makeFairQueue({ slots: 1, halfLifeMs: 1_000 });
let turns: string[] = [];
const counted = {
  ...queue,
  enter: (key: string) => {
    turns.push(key);
    return queue.enter(key);
  },
};
const ample = makeByteBudget({
  limitName: 'body_memory',
  totalBytes: 1e9,
  accountBytes: 1e9,
  addressBytes: 1e9,
  waitMs: 0,
});
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, () => ({ bodies: { memory: ample, spool: ample, uploads: ample, turns: counted } })),
);
const caller = fileFixture(() => openV1Caller(gateway, { tier: 'api_pro' }));
const file = Buffer.concat([await makeImage({ width: 8, height: 8, format: 'jpeg' }), Buffer.alloc(bytes)]);

const form = (name: string) => {
  const { body, contentType } = makeMultipart([
    { name: 'engine', data: 'standard' },
    { name, filename: 'a.jpg', data: file },
  ]);
  return { headers: { 'content-type': contentType, prefer: 'respond-async' }, body };
};

beforeEach(() => {
  turns = [];
});

it.each<[string, () => Promise<Response>]>([
  ['a form', () => caller.call('POST', '/v1/process', form('image'))],
  ['a form with several images', () => caller.call('POST', '/v1/bulk', form('images'))],
  ['a body', () => caller.call('POST', '/v1/process?async=true', raw(file, 'image/jpeg'))],
  ['a contact form', () => sendContact(gateway, { files: [{ name: 'a.jpg', bytes: file }] })],
])('receives the chunks of %s when it is the turn of the caller', async (_what, send) => {
  const { status } = await send();
  expect(status).toBeLessThan(300);
  expect(turns.length).toBeGreaterThanOrEqual(leastTurns);
  expect(new Set(turns).size).toBe(1);
});
