import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { expect, it } from 'vitest';
import { limitBodies } from './receive-json.ts';

it('holds as many JSON bodies with images at once as the gateway may, however many accounts send them', async () => {
  let [running, most] = [0, 0];
  const releases: (() => void)[] = [];
  const hold = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => releases.push(resolve));
    running -= 1;
  };
  const accounts = Array.from({ length: limits.jsonImagesPerGateway + 5 }, (_, at) => `account ${at}`);
  const bodies = [accounts[0] ?? '', ...accounts].flatMap((accountId) => [
    limitBodies({ accountId, plan: currentPlans.free }, hold),
  ]);
  let ended = false;
  const all = Promise.all(bodies).then(() => {
    ended = true;
  });
  while (!ended) {
    await new Promise(setImmediate);
    releases.shift()?.();
  }
  await all;
  expect(most).toBe(limits.jsonImagesPerGateway);
});
