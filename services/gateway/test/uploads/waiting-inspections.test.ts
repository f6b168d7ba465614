import type { SignedIn } from '@uprez/testing/sign-up';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cookieOf } from '../support/batches.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { startTestGateway, type TestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

const gateway = shareTestGateway();
/** A gateway where no image may wait for inspection. */
let full: TestGateway;
const warmUps: number[] = [];
beforeAll(async () => {
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = gateway.ctx;
  full = await startTestGateway({ RATE_LIMIT_SCALE: '0', DATABASE_URL, DATA_DIR }, undefined, ({ inspector }) => ({
    inspector: { ...inspector, warmUp: () => warmUps.push(warmUps.length) },
  }));
});
afterAll(() => full.close());

const createItem = async ({ client }: SignedIn): Promise<string> => {
  const items = [{ clientId: '1', name: 'a.png', relativePath: 'a.png' }];
  const { data } = await client.createBatch({ body: { recipe: {}, items, acceptPartial: false } });
  return `PUT /api/batches/${data.id}/items/${data.items[0]?.id}`;
};

it('a gateway starts an inspection child before the first image', () => {
  expect(warmUps).toHaveLength(1);
});

it.each([
  ['an image', () => 'POST /api/images/process'],
  ['a batch', () => 'POST /api/images/bulk-process'],
  ['an item of a batch', createItem],
  ['a preview', () => 'POST /api/preview'],
])('%s is rejected before its body is read when too many images wait', async (_, prepare) => {
  const user = await gateway.signUp();
  const line = await prepare(user);
  const before = await countTraces(gateway.ctx);
  const reply = await sendRaw({
    url: full.url,
    head: [
      `${line} HTTP/1.1`,
      'Content-Type: multipart/form-data; boundary=b0',
      `Cookie: ${await cookieOf(gateway, user)}`,
      'Content-Length: 1000000',
    ],
  });
  expect([reply.status, reply.headers.get('x-error-code')]).toEqual([429, 'rate_limited']);
  expect(reply.body).toContain('waiting to be inspected');
  expect(await countTraces(gateway.ctx)).toEqual(before);
});
