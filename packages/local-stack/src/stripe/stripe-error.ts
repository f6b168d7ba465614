export interface StripeErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  payment_intent?: object;
  setup_intent?: object;
}

export class StripeError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  constructor(status: number, body: StripeErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** An error after which the request's changes are kept, such as a failed charge. */
export class DeclinedError extends StripeError {}

/**
 * An error for a request that the schemas reject or the double doesn't support. As with Stripe, the reply isn't stored
 * under the idempotency key.
 */
export class InvalidParamsError extends StripeError {}

/** Returns an error with status 400 for a request that Stripe rejects. */
export const invalidRequestError = (message: string, details: { code?: string; param?: string } = {}) =>
  new StripeError(400, { type: 'invalid_request_error', message, ...details });

/** Returns the error for a request that Stripe supports but the double doesn't. */
export const notServedError = (message: string, param: string) =>
  new InvalidParamsError(400, { type: 'invalid_request_error', code: 'not_served_by_double', param, message });

/**
 * Returns the error for an ID that doesn't exist. `param` is the parameter that holds the ID. The status is 404 for the
 * ID in the path, and 400 for other parameters.
 */
export const missingResourceError = (kind: string, { id, param = 'id' }: { id: string; param?: string }) => {
  const status = param === 'id' ? 404 : 400;
  return new StripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });
};

/**
 * Returns the result of `work`, or the error if a card is declined. The error is returned because throwing it would
 * undo the effects of `work`.
 */
export function catchDecline<R>(work: () => R): R | DeclinedError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DeclinedError) return error;
    throw error;
  }
}
