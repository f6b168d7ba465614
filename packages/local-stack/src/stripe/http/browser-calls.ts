import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { invalidRequestError } from '../stripe-error.ts';

/**
 * Calls that browsers can make with the publishable key. Each call maps to the table of the object to which the
 * required client secret belongs, or to `none`.
 */
const browserCalls: Record<string, 'none' | 'paymentIntents' | 'setupIntents'> = {
  'POST /v1/payment_methods': 'none',
  'GET /v1/payment_intents/:id': 'paymentIntents',
  'POST /v1/payment_intents/:id/confirm': 'paymentIntents',
  'GET /v1/setup_intents/:id': 'setupIntents',
  'POST /v1/setup_intents/:id/confirm': 'setupIntents',
};

interface BrowserRequest {
  method: string;
  /** Path with `:id` in place of an object's ID. */
  route: string | undefined;
}

export const isBrowserCall = ({ method, route = '' }: BrowserRequest): boolean =>
  Object.hasOwn(browserCalls, `${method} ${route}`);

/**
 * Returns the parameters of a call made with the publishable key. Leaves out the key and the client secret. Throws
 * Stripe's error if the client secret is missing or doesn't belong to the object.
 */
export function readBrowserParams(
  context: Context,
  request: BrowserRequest & { id: string },
  params: Record<string, unknown>,
): object {
  const { key: _key, client_secret: secret, ...rest } = params;
  const table = browserCalls[`${request.method} ${request.route}`];
  if (table === 'none' || table === undefined) return rest;
  if (typeof secret !== 'string' || secret === '')
    throw invalidRequestError('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    });
  const intent = getRow(context, table, { id: request.id, param: 'intent' });
  if (!isEqualInConstantTime(secret, intent.client_secret ?? ''))
    throw invalidRequestError(
      'The client_secret provided does not match the client_secret associated with this object.',
      {
        code:
          intent.object === 'payment_intent' ? 'payment_intent_invalid_parameter' : 'setup_intent_invalid_parameter',
        param: 'client_secret',
      },
    );
  if ('off_session' in rest)
    throw invalidRequestError('You cannot use `off_session` with a publishable key.', { param: 'off_session' });
  return rest;
}

export function isEqualInConstantTime(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

const publicFields = [
  ...['id', 'object', 'amount', 'automatic_payment_methods', 'canceled_at', 'cancellation_reason', 'capture_method'],
  ...['client_secret', 'confirmation_method', 'created', 'currency', 'description', 'last_payment_error'],
  ...['last_setup_error', 'livemode', 'next_action', 'payment_method', 'payment_method_types', 'processing'],
  ...['receipt_email', 'setup_future_usage', 'shipping', 'source', 'status', 'usage'],
];

/** Returns the fields of an object that browsers can see. Only intents have hidden fields. */
export function toPublicView(body: object): object {
  if (!('object' in body) || (body.object !== 'payment_intent' && body.object !== 'setup_intent')) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => publicFields.includes(name)));
}
