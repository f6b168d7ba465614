import { newApiKeySchema } from '@uprez/contracts/schemas/api-keys';
import { describe, expect, it } from 'vitest';
import { emptyDraft, expiryOf, keyChangeBody, newKeyBody } from './key-draft.ts';

const now = Date.parse('2026-11-05T12:00:00Z');

describe('the body of a new key', () => {
  it('asks for no limits where none were set, and trims the name', () => {
    expect(newKeyBody({ ...emptyDraft, name: '  Shop ' }, now)).toEqual({
      name: 'Shop',
      kind: 'live',
      scopes: ['process', 'read'],
      monthlyCap: null,
      callsPerMinute: null,
      addresses: [],
      expiresAt: null,
    });
  });

  it('is what the contract takes', () => {
    const draft = { ...emptyDraft, name: 'a', expiry: '30', monthlyCap: 5, addresses: ' 203.0.113.7,\n10.0.0.0/8 \n' };
    const body = newKeyBody(draft, now);
    expect(body).toMatchObject({ expiresAt: '2026-12-05T12:00:00.000Z', addresses: ['203.0.113.7', '10.0.0.0/8'] });
    expect(newApiKeySchema.safeParse(body).success).toBe(true);
  });
});

describe('the end of a key', () => {
  it('is never, or stays', () => {
    expect(expiryOf({ expiry: 'never', lastDay: '' }, now)).toBeNull();
    expect(expiryOf({ expiry: 'keep', lastDay: '' }, now)).toBeUndefined();
  });
  it('is the last moment of the last day, where the reader is', () => {
    const end = new Date(String(expiryOf({ expiry: 'date', lastDay: '2026-12-24' }, now)));
    expect([end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([11, 24, 23, 59]);
  });
  it('is not sent while no day was chosen', () => {
    expect(keyChangeBody({ ...emptyDraft, expiry: 'date' }, now)).not.toHaveProperty('expiresAt');
  });
});
