import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeStripe, openFakeStripe, type Reply, secretKey } from '../test/support/open-fake-stripe.ts';
import { customer } from '../test/support/replies.ts';
import { createCustomer, findCustomer, updateCustomer } from './customers.ts';
import { payInvoice } from './invoices.ts';
import { openPayments } from './open-payments.ts';
import { PaymentError, type PaymentErrorKind, type Retry } from './payment-error.ts';

const key = 'call_1:1';
/** Values that must not appear in an error. */
const canaries = [secretKey, 'Canary', 'ann@example.com', '4242', 'pi_1_secret_x'];

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await openFakeStripe();
});
afterEach(() => {
  for (const request of stripe.requests) expect(request.key).toBe(key);
});
afterAll(() => stripe.close());

async function failure(...replies: Reply[]): Promise<PaymentError> {
  stripe.reply(...replies);
  const error: unknown = await payInvoice(stripe.payments, { invoiceId: 'in_1', idempotencyKey: key }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PaymentError)) throw new Error('no PaymentError', { cause: error });
  const shown = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), String(error.stack)].join(
    '\n',
  );
  for (const canary of canaries) expect(shown).not.toContain(canary);
  return error;
}

const reply = (status: number, error: object, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { error },
  headers: { 'stripe-should-retry': 'false', ...headers },
});
const declined = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
  payment_intent: { id: 'pi_1', client_secret: 'pi_1_secret_x' },
};

describe('kinds of errors', () => {
  it.each<[string, Reply, { kind: PaymentErrorKind; retry: Retry }]>([
    ['a declined card', reply(402, declined), { kind: 'card_declined', retry: 'new_key' }],
    [
      'a payment that needs 3-D Secure',
      reply(402, { type: 'card_error', code: 'invoice_payment_intent_requires_action', message: 'Confirm it.' }),
      { kind: 'action_required', retry: 'new_key' },
    ],
    [
      'an issuer that asks for 3-D Secure',
      reply(402, { ...declined, code: 'card_declined', decline_code: 'authentication_required' }),
      { kind: 'action_required', retry: 'new_key' },
    ],
    [
      'a key in use',
      reply(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In progress.' }),
      { kind: 'in_progress', retry: 'same_key' },
    ],
    [
      'a key with other parameters',
      reply(400, { type: 'idempotency_error', message: `Keys can only be used with the same parameters (${key}).` }),
      { kind: 'key_conflict', retry: 'none' },
    ],
    [
      'a wrong API key',
      reply(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${secretKey}` }),
      { kind: 'invalid_credentials', retry: 'none' },
    ],
    [
      'a missing permission',
      reply(403, { type: 'invalid_request_error', message: `The key ${secretKey} lacks permissions.` }),
      { kind: 'invalid_credentials', retry: 'none' },
    ],
    [
      'a missing object',
      reply(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such invoice.', param: 'id' }),
      { kind: 'not_found', retry: 'none' },
    ],
    [
      'an unknown parameter',
      reply(400, {
        type: 'invalid_request_error',
        code: 'parameter_unknown',
        param: 'foo',
        message: 'Unknown parameter foo: ann@example.com, 4242 4242 4242 4242, pi_1_secret_x, whsec_Canary',
      }),
      { kind: 'invalid_request', retry: 'none' },
    ],
    ['a server error', reply(500, { type: 'api_error', message: 'Boom' }), { kind: 'unavailable', retry: 'same_key' }],
    [
      'a replayed server error',
      reply(500, { type: 'api_error', message: 'Boom' }, { 'idempotent-replayed': 'true' }),
      { kind: 'unavailable', retry: 'look_up' },
    ],
    [
      'a page of a proxy',
      { status: 502, body: '<html>Canary</html>', headers: { 'stripe-should-retry': 'false' } },
      { kind: 'unavailable', retry: 'same_key' },
    ],
    [
      'a reply of another shape',
      { body: { id: 'in_1', total: 'Canary' } },
      { kind: 'unexpected_reply', retry: 'none' },
    ],
  ])('%s', async (_case, answer, expected) => {
    expect(await failure(answer)).toMatchObject({ name: 'PaymentError', ...expected });
    expect(stripe.requests).toHaveLength(1);
  });

  it('has the sentence for the customer, the code, and the request', async () => {
    const error = await failure(reply(402, declined));
    expect(error.message).toBe('payments: card_declined: 402 card_declined insufficient_funds req_fake');
    expect(error.info).toMatchObject({
      providerMessage: 'Your card has insufficient funds.',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      requestId: 'req_fake',
      status: 402,
    });
  });

  it('names the refused parameter, without values', async () => {
    const error = await failure(
      reply(400, { type: 'invalid_request_error', param: 'items[0][price]', message: 'No ann@example.com' }),
    );
    expect(error.message).toBe('payments: invalid_request: 400 items[0][price] req_fake No [removed]');
    expect(error.info.providerMessage).toBeUndefined();
  });

  it('names the fields of an unknown shape', async () => {
    expect((await failure({ body: { id: 'in_1' } })).message).toMatch(/^payments: unexpected_reply: .*currency/);
  });

  it('returns how long to wait after 429, without a retry of its own', async () => {
    const error = await failure(
      reply(429, { type: 'invalid_request_error', code: 'rate_limit' }, { 'retry-after': '2' }),
    );
    expect(error).toMatchObject({ kind: 'rate_limited', retry: 'same_key', info: { retryAfterMs: 2_000 } });
    expect(stripe.requests).toHaveLength(1);
  });
});

describe('lost connections', () => {
  it('sends the request again once, under the same key, after a reset', async () => {
    expect(await failure('reset')).toMatchObject({ kind: 'unreachable', retry: 'same_key' });
    expect(stripe.requests).toHaveLength(2);
  });

  it('sends the request again once, under the same key, without a response in time', async () => {
    const silent = await openFakeStripe({ timeoutMs: 300 });
    silent.reply('hang');
    const call = payInvoice(silent.payments, { invoiceId: 'in_1', idempotencyKey: key });
    await expect(call).rejects.toMatchObject({ kind: 'unreachable', retry: 'same_key' });
    expect(silent.requests.map((request) => request.key)).toEqual([key, key]);
    await silent.close();
  });

  it('reports a response that ends early as unreachable', async () => {
    expect(await failure('cut')).toMatchObject({ kind: 'unreachable', retry: 'same_key' });
  });

  it('reports a closed port as unreachable', async () => {
    const payments = openPayments({
      mode: 'test',
      secretKey,
      publishableKey: 'pk_test_1',
      webhookSecrets: [],
      apiUrl: 'http://127.0.0.1:9',
    });
    await expect(findCustomer(payments, 'cus_1')).rejects.toMatchObject({ kind: 'unreachable', retry: 'same_key' });
    payments.close();
  });

  it.each<[string, Reply]>([
    ['a reset', 'reset'],
    ['a lock conflict', { status: 409, body: { error: { type: 'invalid_request_error', code: 'lock_timeout' } } }],
    ['a 503', { status: 503, body: { error: { type: 'api_error' } } }],
  ])('returns the result of the second attempt after %s', async (_case, first) => {
    stripe.reply(first, { body: customer });
    const input = { accountId: 'acc_1', callId: 'call_1', email: 'a@example.com', idempotencyKey: key };
    await expect(createCustomer(stripe.payments, input)).resolves.toMatchObject({ id: 'cus_1' });
    expect(stripe.requests).toHaveLength(2);
  });
});

describe('the handle', () => {
  it('contains no secret', () => {
    expect(inspect(stripe.payments, { depth: 10, showHidden: true })).not.toContain('Canary');
  });

  it('is required', async () => {
    const forged = { ...stripe.payments };
    await expect(updateCustomer(forged, { customerId: 'cus_1', idempotencyKey: key })).rejects.toThrow(TypeError);
  });
});
