import { createHmac } from 'node:crypto';
import { signEvent } from '@uprez/domain/webhooks/event-message';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

const secrets = ['first secret of some length', 'another'].map(
  (text) => `whsec_${Buffer.from(text).toString('base64')}`,
);
const [secret = '', other = ''] = secrets;
const body = JSON.stringify({ id: 'e1', type: 'job.completed', data: { id: 'j1', filename: 'ü.png' } });
const now = new Date(1_700_000_000_000);

function sign(key: string, { at = 1_700_000_000, text = body } = {}) {
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', bytes).update(`msg_1.${at}.${text}`).digest('base64');
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

describe('verifyWebhook', () => {
  it('returns the event of a signed webhook for each form of headers', () => {
    const headers = sign(secret);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const kept of [headers, new Headers(headers), upper])
      expect(verifyWebhook(Buffer.from(body), kept, { secret, now })).toMatchObject({ type: 'job.completed' });
  });
  it('accepts the signature of the service with either secret of a rotation', () => {
    const headers = signEvent({ id: 'msg_2', at: now, body, secrets });
    for (const one of secrets) expect(verifyWebhook(body, headers, { secret: one, now })).toMatchObject({ id: 'e1' });
  });
  it('accepts any of several secrets and signatures', () => {
    const both = { ...sign(other), 'webhook-signature': `v1a,xyz v1,AAAA ${sign(other)['webhook-signature']}` };
    expect(verifyWebhook(body, both, { secret: secrets, now })).toMatchObject({ id: 'e1' });
  });
  it.each([
    ['another secret', sign(other), body],
    ['a changed body', sign(secret), body.replace('j1', 'j2')],
    ['a timestamp that differs from the signed one', { ...sign(secret), 'webhook-timestamp': '1700000001' }, body],
    ['another id', { ...sign(secret), 'webhook-id': 'msg_2' }, body],
    ['a missing header', { ...sign(secret), 'webhook-id': undefined }, body],
    ['an empty signature', { ...sign(secret), 'webhook-signature': 'v1,' }, body],
    ['an invalid timestamp', { ...sign(secret), 'webhook-timestamp': 'now' }, body],
  ])('rejects %s', (_, headers, text) => {
    expect(() => verifyWebhook(text, headers, { secret, now })).toThrow(
      expect.objectContaining({ code: 'invalid_signature' }),
    );
  });
  it('rejects timestamps outside the tolerance', () => {
    for (const at of [1_699_999_699, 1_700_000_301])
      expect(() => verifyWebhook(body, sign(secret, { at }), { secret, now })).toThrow(
        expect.objectContaining({ code: 'timestamp_outside_tolerance' }),
      );
    const late = sign(secret, { at: 1_699_999_000 });
    expect(verifyWebhook(body, late, { secret, now, toleranceSeconds: 1_000 })).toMatchObject({ id: 'e1' });
  });
  it('rejects an empty or missing secret', () => {
    expect(() => verifyWebhook(body, sign(''), { secret: '', now })).toThrow('empty');
    expect(() => verifyWebhook(body, sign(''), { secret: 'whsec_', now })).toThrow('empty');
    const none = undefined as unknown as string;
    for (const given of [none, [none], { secret: none }])
      expect(() => verifyWebhook(body, sign(''), given)).toThrow('missing');
  });
});
