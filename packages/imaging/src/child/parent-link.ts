import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { type FromChild, type ToChild, toChildSchema } from '@uprez/contracts/schemas/child-messages';

/** Send one message to the parent. */
export function tellParent(message: FromChild): void {
  process.send?.(message);
}

/**
 * Tell the parent why a run failed. Anything but an AppError is a crash: it goes to stderr, not to the caller. A refused
 * image is no news for operators.
 */
export function tellFailure(runId: string, error: unknown): void {
  const known = error instanceof AppError ? error : new AppError('processing_crashed', { cause: error });
  if (errorCodes[known.code].report) console.error(known.cause ?? error);
  const facts = Object.entries(known.meta ?? {}).filter(isPlain);
  const meta = facts.length > 0 ? { meta: Object.fromEntries(facts) } : {};
  tellParent({ type: 'failed', runId, code: known.code, detail: known.message, ...meta });
}

const isPlain = (fact: [string, unknown]): fact is [string, string | number] =>
  typeof fact[1] === 'string' || typeof fact[1] === 'number';

/** Handle each message of the parent, and leave when the parent is gone: a child would outlive it. */
export function listenToParent(handle: (message: ToChild) => void): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', (raw) => handle(toChildSchema.parse(raw)));
}
