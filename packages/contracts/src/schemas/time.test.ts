import { expect, it } from 'vitest';
import { adminTierBodySchema } from './admin/users.ts';
import { newApiKeySchema } from './api-keys.ts';
import { createCouponBodySchema } from './billing/coupons.ts';
import { grantBodySchema } from './jobs/metering.ts';

const bodies: Record<string, (at: string) => boolean> = {
  tier: (endsAt) => adminTierBodySchema.safeParse({ subscriptionTier: 'pro', endsAt }).success,
  grant: (expiresAt) => grantBodySchema.safeParse({ units: 1, meter: 'ai', reason: 'sorry', expiresAt }).success,
  key: (expiresAt) => newApiKeySchema.safeParse({ name: 'key', expiresAt }).success,
  coupon: (expiresAt) => createCouponBodySchema.safeParse({ code: 'SAVE', description: 'sale', expiresAt }).success,
};

it.each(Object.keys(bodies))('rejects a time of a %s that is in the year 10000 in UTC', (name) => {
  const accepts = bodies[name] as (at: string) => boolean;
  expect(accepts('9999-12-31T23:59:59Z')).toBe(true);
  expect(accepts('9999-12-31T23:59:59-00:01')).toBe(false);
});

it('rejects a date of a coupon that ends in the year 10000', () => {
  expect([bodies.coupon?.('9999-12-30'), bodies.coupon?.('9999-12-31')]).toEqual([true, false]);
});
