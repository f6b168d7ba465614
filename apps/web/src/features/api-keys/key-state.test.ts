import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { describe, expect, it } from 'vitest';
import { isUnused, keyStateOf } from './key-state.ts';

const makeKey = (more: Partial<ApiKeyView> = {}): ApiKeyView => ({
  id: '9b2f6f0e-4c43-4a53-9a3e-0d3c3c9d3b11',
  name: 'Shop',
  keyPreview: 'upz_live_abcd...1234',
  kind: 'live',
  scopes: ['read'],
  isActive: true,
  createdAt: '2026-01-01T00:00:00Z',
  lastUsed: null,
  lastAddress: null,
  usageCount: 0,
  expiresAt: null,
  isExpired: false,
  monthlyCap: null,
  unitsThisMonth: 0,
  callsPerMinute: null,
  addresses: [],
  allowedOrigins: [],
  replacedBy: null,
  ...more,
});

describe('keyStateOf', () => {
  it.each([
    [{}, 'active'],
    [{ isActive: false }, 'inactive'],
    [{ replacedBy: 'x' }, 'replaced'],
    [{ replacedBy: 'x', isActive: false }, 'inactive'],
    [{ replacedBy: 'x', isExpired: true }, 'expired'],
    [{ isActive: false, isExpired: true }, 'expired'],
  ] as const)('%o is %s', (more, state) => expect(keyStateOf(makeKey(more))).toBe(state));
});

describe('isUnused', () => {
  it.each([
    ['2026-03-01T23:59:59Z', false],
    ['2026-03-02T00:00:00Z', true],
  ])('counts 60 days from when it was made: %s', (now, unused) =>
    expect(isUnused(makeKey(), Date.parse(now))).toBe(unused),
  );
  it('counts from the last call, if there was one', () => {
    expect(isUnused(makeKey({ lastUsed: '2026-02-20T00:00:00Z' }), Date.parse('2026-03-10T00:00:00Z'))).toBe(false);
  });
  it('returns false for expired keys', () => {
    expect(isUnused(makeKey({ isExpired: true }), Date.parse('2027-01-01T00:00:00Z'))).toBe(false);
  });
});
