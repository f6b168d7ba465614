import { type CallRow, renewCall } from '@uprez/db/queries/billing/billing-calls';
import { type CallContext, leaseS } from './call-kind.ts';

const renewEveryMs = (leaseS * 1_000) / 4;

/** Renews the lease of a claimed call while `work` waits for Stripe. Holds a database connection for each renewal only. */
export async function holdLease<Result>(
  { db, log }: Pick<CallContext, 'db' | 'log'>,
  call: Pick<CallRow, 'id' | 'fence'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    renewCall(db, call, leaseS).catch((error: unknown) =>
      // The lease may expire. Then another process continues the call under the same keys.
      log.warn({ err: error, callId: call.id }, 'lease of a billing call not renewed'),
    );
  const timer = setInterval(() => void renew(), renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
