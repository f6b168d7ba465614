import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { makeByteBudget } from '../../src/http/bodies/body-budgets.ts';
import { png, sendContact } from '../support/contact.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw } from '../support/v1-calls.ts';

/** A budget that others use up. */
const full = {
  hold: async () => {
    throw new AppError('server_busy');
  },
  heldBytes: () => 0,
};
const bytes = 1_000_000;
const small = makeByteBudget({
  limitName: 'body_memory',
  totalBytes: bytes,
  accountBytes: bytes,
  addressBytes: bytes,
  waitMs: 0,
});
const turns = makeFairQueue({ slots: 1, halfLifeMs: 1_000 });
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, () => ({ bodies: { memory: full, spool: small, uploads: small, turns } })),
);
const crowded = fileFixture(() =>
  startTestGateway({}, undefined, () => ({ bodies: { memory: small, spool: full, uploads: full, turns } })),
);

const batch = json({ recipe: { engine: 'standard' }, items: [{ client_id: 'a', name: 'a.png' }] });
const image = 'A'.repeat(limits.bodyBytes);

const expectBusy = (answer: Response) =>
  expect([answer.status, answer.headers.get('x-error-code'), Number(answer.headers.get('retry-after')) > 0]).toEqual([
    503,
    'server_busy',
    true,
  ]);

it('rejects bodies that are read into memory while others use all of it', async () => {
  const caller = await openV1Caller(gateway, { tier: 'api_pro' });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'estimate', arguments: { image } } };
  const accept = { accept: 'application/json, text/event-stream' };
  const call = json(message);
  expectBusy(await sendContact(gateway, { files: [{ name: 'a.png', bytes: png }] }));
  expectBusy(await caller.call('POST', '/v1/batches', batch));
  expectBusy(await caller.call('POST', '/mcp', { ...call, headers: { ...call.headers, ...accept } }));
});

it('rejects uploads before they are read while their address has too many', async () => {
  const caller = await openV1Caller(crowded, { tier: 'api_pro' });
  const call = json({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { image } });
  expectBusy(await caller.call('POST', '/v1/process', json({ image: 'AAAA' })));
  expectBusy(await caller.call('POST', '/v1/process', raw(png)));
  expectBusy(await caller.call('POST', '/mcp', call));
  expect((await caller.call('POST', '/v1/batches', batch)).status).toBe(201);
});
