import { AppError } from '@uprez/contracts/errors/app-error';
import { type CallRow, claimDueCall, releaseCall } from '@uprez/db/queries/billing/billing-calls';
import { type CallContext, type CallKind, leaseS } from './call-kind.ts';
import { completeCall, runCall } from './run-call.ts';

export type Finisher = (ctx: CallContext, row: CallRow) => Promise<void>;

const unknownKindDelayS = 600;

/**
 * Continues the open call that has been due for the longest time. A call becomes due after a crash, an error, or its
 * expiration. Returns false if none is due. Safe to run in several processes.
 */
export async function finishNextCall(ctx: CallContext, finishers: Record<string, Finisher>): Promise<boolean> {
  const row = await claimDueCall(ctx.db, leaseS);
  if (!row) return false;
  const finish = Object.hasOwn(finishers, row.kind) ? finishers[row.kind] : undefined;
  if (!finish) {
    // A newer version of Uprez stored this call. The dispatcher of that version continues it.
    await releaseCall(ctx.db, row, { delayS: unknownKindDelayS, error: 'unknown kind' });
    return true;
  }
  try {
    await finish(ctx, row);
    ctx.log.info({ callId: row.id, kind: row.kind }, 'billing call continued');
  } catch (error) {
    // After an AppError, the call has already been ended or released.
    if (!(error instanceof AppError)) ctx.log.warn({ err: error, callId: row.id }, 'continuing a billing call failed');
  }
  return true;
}

/**
 * Combines finishers by kind. Throws if two kinds share a name. Otherwise, calls of one kind would be continued with
 * the steps of the other.
 */
export function collectFinishers(entries: readonly (readonly [kind: string, finish: Finisher])[]) {
  const finishers: Record<string, Finisher> = Object.fromEntries(entries);
  const twice = entries.find(([kind, finish]) => finishers[kind] !== finish);
  if (twice) throw new Error(`Two kinds of calls are named ${twice[0]}.`);
  return finishers;
}

/**
 * Creates a finisher that runs the remaining steps of a call and then completes it. For kinds that need no work after
 * their last step.
 */
export const makeFinisher =
  <Request>(kind: CallKind<Request>): Finisher =>
  async (ctx, row) => {
    await completeCall(ctx, await runCall(ctx, kind, row));
  };
