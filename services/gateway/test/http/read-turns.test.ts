import { limits } from '@uprez/contracts/policy/limits';
import type { FairQueue } from '@uprez/domain/make-fair-queue';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { makeBatch, readBatch } from '../support/batches.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

let turns: FairQueue | undefined;
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ readTurns }) => {
    turns = readTurns;
    return {};
  }),
);

it('makes a costly read of an account wait for another one of that account, and not those of others', async () => {
  const [user, other] = [await gateway.signUp(), await gateway.signUp()];
  const [own, others] = [await makeBatch(user, ['a.png']), await makeBatch(other, ['a.png'])];
  const leave = await turns?.enter(`account:${user.user.id}`);
  const read = readBatch(user, own);
  await waitUntil(() => turns?.countWaitingOf(`account:${user.user.id}`) === 1);
  expect((await readBatch(other, others)).id).toBe(others.id);
  leave?.();
  expect((await read).id).toBe(own.id);
});

it('makes a costly read while reads of two other accounts wait for a connection to the database', async () => {
  const user = await gateway.signUp();
  const batch = await makeBatch(user, ['a.png']);
  const leaves = [await turns?.enter('account:slow'), await turns?.enter('account:slower')];
  expect((await readBatch(user, batch)).id).toBe(batch.id);
  for (const leave of leaves) leave?.();
});

it('returns 503 for the newest read of the account with the most waiting ones when too many wait', async () => {
  const [user, other] = [await gateway.signUp(), await gateway.signUp()];
  const [own, others] = [await makeBatch(user, ['a.png']), await makeBatch(other, ['a.png'])];
  const enter = () => turns?.enter(`account:${user.user.id}`);
  const leave = await enter();
  const waiting = Array.from({ length: limits.waitingReads }, enter);
  await expect(readBatch(user, own)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await readBatch(other, others)).id).toBe(others.id);
  leave?.();
  for (const turn of waiting) (await turn)?.();
});

it('frees the turn of a read that fails', async () => {
  const user = await gateway.signUp();
  const id = crypto.randomUUID();
  for (let read = 0; read < 3; read += 1)
    await expect(user.client.getBatch({ params: { id } })).rejects.toMatchObject({ code: 'batch_not_found' });
});
