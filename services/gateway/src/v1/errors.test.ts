import { AppError } from '@uprez/contracts/errors/app-error';
import { quotaHintWithPacks } from '@uprez/contracts/errors/error-hints';
import { expect, it } from 'vitest';
import { presentV1Problem } from './errors.ts';

const present = (error: AppError) =>
  presentV1Problem(error, { id: '1', config: { PUBLIC_URL: 'https://uprez.example/' } });

it('returns absolute URLs in meta', () => {
  const meta = { meter: 'ai', resetsAt: '2026-12-01', upgradeUrl: '/pricing' };
  expect(present(new AppError('quota_exceeded', { meta }))).toMatchObject({
    meta: { meter: 'ai', resets_at: '2026-12-01', upgrade_url: 'https://uprez.example/pricing' },
  });
});

it('has the hint and the absolute URL of packs', () => {
  const meta = { meter: 'ai', upgradeUrl: '/pricing', packsUrl: '/pricing#packs' };
  expect(present(new AppError('quota_exceeded', { meta, hint: quotaHintWithPacks }))).toMatchObject({
    meta: { packs_url: 'https://uprez.example/pricing#packs' },
    hint: expect.stringContaining('buy a pack at "meta.packs_url"'),
  });
  expect(present(new AppError('quota_exceeded')).hint).toMatch(/or upgrade your plan\.$/);
});

it('has a hint when values are allowed or the error provides one', () => {
  expect(present(new AppError('invalid_parameter', { param: 'a' }))).not.toHaveProperty('hint');
  expect(present(new AppError('invalid_parameter', { param: 'a', allowed: 'b' }))).toHaveProperty('hint');
  expect(present(new AppError('plan_feature', { hint: 'Ask.' }).with({ param: 'x' }))).toMatchObject({ hint: 'Ask.' });
});
