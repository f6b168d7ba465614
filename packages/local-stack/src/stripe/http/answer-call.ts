import { catchDecline } from '../catch-decline.ts';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { DeclinedError, InvalidParamsError, StripeError } from '../stripe-error.ts';
import { atTestClock } from '../time/test-clocks.ts';
import { toPublicView } from './browser-calls.ts';
import type { ServedCall } from './define-call.ts';
import { type Failure, rateLimited, serverError } from './failures.ts';
import type { KeyedRequest } from './saved-replies.ts';

export interface CallRequest {
  call: ServedCall;
  id: string;
  params: object;
  keyed: KeyedRequest | undefined;
  failure: Failure | undefined;
  /** Whether a browser sent it, with the publishable key. */
  isPublic: boolean;
}

export interface CallReply {
  status: number;
  body: string;
  requestId: string;
}

/**
 * Runs a call and returns its reply. The effect, its events, and the reply under its idempotency key are stored together. A
 * call that fails has no effect, but its error is stored. A declined card leaves a failed charge.
 */
export function answerCall(context: Context, request: CallRequest): CallReply {
  const { call, id, params, keyed, failure, isPublic } = request;
  const errorBody = isPublic ? publicErrorBody : fullErrorBody;
  const requestId = makeId('req');
  const save = (status: number, body: object): CallReply => {
    const reply = { status, body: JSON.stringify(body), requestId };
    if (keyed)
      context.store.put('savedReplies', {
        id: keyed.key,
        fingerprint: keyed.fingerprint,
        created: context.now(),
        ...reply,
      });
    return reply;
  };
  try {
    if (failure?.when === 'before' && failure.kind === 'rate_limit') throw rateLimited();
    if (failure?.when === 'before' && failure.kind === 'error') throw serverError();
    return context.store.transaction(() => {
      const body = catchDecline(() => call.handle(atTestClock(context, { id, params }), params, id));
      if (body instanceof DeclinedError) return save(body.status, errorBody(body));
      return failure?.when === 'after' && failure.kind === 'error'
        ? save(500, errorBody(serverError()))
        : save(200, isPublic ? toPublicView(body) : body);
    });
  } catch (cause) {
    // Anything else is a bug of the double. Its text reaches the client.
    const error =
      cause instanceof StripeError ? cause : serverError(cause instanceof Error ? cause.message : 'unknown');
    const isSaved = !(error instanceof InvalidParamsError) && error.status !== 429;
    if (isSaved) return context.store.transaction(() => save(error.status, errorBody(error)));
    return { status: error.status, body: JSON.stringify(errorBody(error)), requestId };
  }
}

export const fullErrorBody = ({ body }: StripeError) => ({ error: body });

/** Without what browsers don't see of the intent that failed. */
const publicErrorBody = ({ body }: StripeError) => ({
  error: Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? toPublicView(value) : value]),
  ),
});
