import type { Tier } from '@uprez/contracts/policy/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { balance, jobRow, openChaos, submit, waitForStatus } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));

it('fails a queued job and releases its credit when the new plan of the account does not allow it', async () => {
  const { product, user } = chaos;
  const moveTo = (tier: Tier) => product.db.updateTable('users').set({ tier }).where('id', '=', user.user.id).execute();
  const image = { width: 60, height: 40 };
  await moveTo('pro');
  const before = await submit(user, image).then(() => balance(product));
  const barred = await submit(user, { ...image, fields: { format: 'avif' } });
  const allowed = await submit(user, image);
  expect(await balance(product)).toBe(before - 2);
  await moveTo('free');
  await product.spawn('worker');
  await waitForStatus(product, barred, 'failed');
  await waitForStatus(product, allowed, 'completed');
  expect(await jobRow(product, barred)).toMatchObject({
    attempt: 1,
    errorCode: 'plan_feature',
    errorDetail: expect.stringMatching(/^Your plan doesn't include AVIF\. .* Upgrade to Pro/),
  });
  expect((await user.client.getJob({ params: { id: barred } })).data.error?.code).toBe('plan_feature');
  const rows = await product.db.selectFrom('ledger').select(['kind', 'units']).where('jobId', '=', barred).execute();
  expect(rows.map(({ kind }) => kind)).toEqual(['reserve', 'release']);
  expect(rows.reduce((sum, { units }) => sum + units, 0)).toBe(0);
}, 60_000);
