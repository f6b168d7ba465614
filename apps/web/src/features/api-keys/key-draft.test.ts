import { newApiKeySchema } from '@uprez/contracts/schemas/api-keys';
import { describe, expect, it } from 'vitest';
import { emptyDraft, expiryOf, toKeyChangeBody, toNewKeyBody } from './key-draft.tsx';

const now = Date.parse('2026-11-05T12:00:00Z');

describe('toNewKeyBody', () => {
  it('sets no limits by default, and trims the name', () => {
    expect(toNewKeyBody({ ...emptyDraft, name: '  Shop ' }, now)).toEqual({
      name: 'Shop',
      kind: 'live',
      scopes: ['process', 'read'],
      monthlyCap: null,
      callsPerMinute: null,
      addresses: [],
      allowedOrigins: [],
      expiresAt: null,
    });
  });

  it('returns a body that the contract accepts', () => {
    const draft = {
      ...emptyDraft,
      name: 'a',
      expiresAt: '30',
      monthlyCap: 5,
      addresses: ' 203.0.113.7,\n10.0.0.0/8 \n',
      allowedOrigins: 'https://shop.example\nhttp://localhost:5173 ',
    };
    const body = toNewKeyBody(draft, now);
    expect(body).toMatchObject({ expiresAt: '2026-12-05T12:00:00.000Z', addresses: ['203.0.113.7', '10.0.0.0/8'] });
    expect(body.allowedOrigins).toEqual(['https://shop.example', 'http://localhost:5173']);
    expect(newApiKeySchema.safeParse(body).success).toBe(true);
  });
});

describe('expiryOf', () => {
  it('returns null for never and undefined for no change', () => {
    expect(expiryOf({ expiresAt: 'never', lastDay: '' }, now)).toBeNull();
    expect(expiryOf({ expiresAt: 'keep', lastDay: '' }, now)).toBeUndefined();
  });
  it('returns the end of the last day in the local time zone', () => {
    const end = new Date(String(expiryOf({ expiresAt: 'date', lastDay: '2026-12-24' }, now)));
    expect([end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([11, 24, 23, 59]);
  });
  it('is omitted from the body when no day is chosen', () => {
    expect(toKeyChangeBody({ ...emptyDraft, expiresAt: 'date' }, now)).not.toHaveProperty('expiresAt');
  });
});
