import Stripe from 'stripe';
import { afterAll, describe, expect, it } from 'vitest';
import { invoice, subscription } from '../test/support/billing-replies.ts';
import { secretKey, webhookSecrets } from '../test/support/open-fake-stripe.ts';
import { dispute, refund } from '../test/support/payment-replies.ts';
import { created, customer, event } from '../test/support/replies.ts';
import { openPayments } from './open-payments.ts';
import { verifyEvent } from './webhook-events.ts';

const sdk = new Stripe(secretKey);
const [oldSecret = '', newSecret = ''] = webhookSecrets;
const options = { secretKey, publishableKey: 'pk_test_1', webhookSecrets };
const payments = openPayments({ ...options, mode: 'test' });
const live = openPayments({ ...options, mode: 'live' });
afterAll(() => {
  payments.close();
  live.close();
});

const now = new Date('2026-11-23T12:00:00Z');
const nowS = now.getTime() / 1_000;

function request(content: unknown, { secret = newSecret, ageS = 0 } = {}) {
  const payload = typeof content === 'string' ? content : JSON.stringify(content);
  const signature = sdk.webhooks.generateTestHeaderString({ payload, secret, timestamp: nowS - ageS });
  return { body: Buffer.from(payload), signature, now };
}

describe('verifyEvent', () => {
  it('returns the event of a signed request', () => {
    expect(verifyEvent(payments, request(event))).toEqual({
      result: 'verified',
      event: {
        id: 'evt_1',
        type: 'customer.updated',
        createdAt: new Date(created * 1_000),
        isLive: false,
        objectId: 'cus_1',
        objectType: 'customer',
        customerId: 'cus_1',
        paymentIntentId: null,
      },
    });
  });

  it.each([oldSecret, newSecret])('accepts each of two secrets', (secret) => {
    expect(verifyEvent(payments, request(event, { secret })).result).toBe('verified');
  });

  it('accepts a request that Stripe signed with two secrets', () => {
    const { signature, ...rest } = request(event, { secret: 'whsec_other' });
    const second = request(event).signature.split(',')[1];
    expect(verifyEvent(payments, { ...rest, signature: `${signature},${second}` }).result).toBe('verified');
  });

  it.each([-300, 300])('accepts a signature that is %i s old', (ageS) => {
    expect(verifyEvent(payments, request(event, { ageS })).result).toBe('verified');
  });

  it.each([
    ['too_old', 301],
    ['too_new', -301],
    ['too_new', -86_400],
  ])('rejects as %s a signature that is %i s old', (reason, ageS) => {
    expect(verifyEvent(payments, request(event, { ageS }))).toEqual({ result: 'invalid', reason });
  });

  it.each<[string, Partial<ReturnType<typeof request>> | { signature: undefined }]>([
    ['of another secret', { signature: request(event, { secret: 'whsec_other' }).signature }],
    ['of another body', { body: Buffer.from(JSON.stringify({ ...event, id: 'evt_2' })) }],
    ['that is missing', { signature: undefined }],
    ['that is empty', { signature: '' }],
    ['without a time', { signature: request(event).signature.replace(/t=\d+,/, '') }],
    ['with two times', { signature: `t=${nowS},${request(event, { ageS: -900 }).signature}` }],
    ['with text after its time', { signature: request(event).signature.replace(/t=\d+/, '$&x') }],
    ['without a value', { signature: `t=${nowS},v1=` }],
    ['with another scheme only', { signature: request(event).signature.replace('v1=', 'v0=') }],
  ])('rejects a signature %s', (_case, change) => {
    expect(verifyEvent(payments, { ...request(event), ...change })).toEqual({ result: 'invalid', reason: 'signature' });
  });

  it.each([
    ['no JSON', 'evt_1'],
    ['an empty text', ' '],
    ['no event', { ...event, object: 'v2.core.event' }],
    ['an event without an object', { ...event, data: {} }],
  ])('rejects a signed body that is %s', (_case, content) => {
    expect(verifyEvent(payments, request(content))).toEqual({ result: 'invalid', reason: 'body' });
  });

  it('reports events of the other mode, in both modes', () => {
    expect(verifyEvent(payments, request({ ...event, livemode: true }))).toEqual({ result: 'other_mode' });
    expect(verifyEvent(live, request(event))).toEqual({ result: 'other_mode' });
    expect(verifyEvent(live, request({ ...event, livemode: true })).result).toBe('verified');
  });

  it.each([
    ['customer.subscription.updated', subscription, { customerId: 'cus_1', paymentIntentId: null }],
    ['invoice.paid', { ...invoice, customer }, { customerId: 'cus_1', paymentIntentId: null }],
    ['refund.created', refund, { customerId: null, paymentIntentId: 'pi_1' }],
    ['charge.dispute.closed', dispute, { customerId: null, paymentIntentId: 'pi_1' }],
    ['balance.available', { object: 'balance', customer: 7 }, { customerId: null, paymentIntentId: null }],
  ])('finds the customer or payment of %s', (type, object, expected) => {
    expect(verifyEvent(payments, request({ ...event, type, data: { object } }))).toMatchObject({
      result: 'verified',
      event: { type, ...expected },
    });
  });
});
