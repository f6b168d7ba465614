import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type CallRow, claimCall, findOpenCall, insertCall } from '@uprez/db/queries/billing/billing-calls';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { type Call, type CallContext, type CallKind, leaseS } from './call-kind.ts';
import { completeCall, runCall } from './run-call.ts';

type Opening<Request> = { accountId: string; request: Request };

/** Stores a call before its first request. Returns undefined if the account has an open call in the same slot. */
export async function openCall<Request extends object>(
  { db }: Needs<'db'>,
  { name, slot, expiresS, reserve }: CallKind<Request>,
  { accountId, request }: Opening<Request>,
): Promise<CallRow | undefined> {
  const id = uuidv7();
  const call = { id, accountId, kind: name, slot, idempotencyKey: id, request, expiresS, leaseS };
  if (!reserve) return await insertCall(db, call);
  return await db.transaction().execute(async (tx) => {
    const row = await insertCall(tx, call);
    if (row) await reserve(tx, { callId: id, accountId, request });
    return row;
  });
}

/**
 * Runs a call from start to end. If a call with the same request is still open after an error, continues it. Throws
 * AppError, such as `billing_busy` if the account has another open call in the slot.
 */
export async function executeCall<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  opening: Opening<Request>,
): Promise<Call<Request>> {
  const row = (await openCall(ctx, kind, opening)) ?? (await claimSame(ctx, kind, opening));
  if (!row) throw new AppError('billing_busy');
  const call = await runCall(ctx, kind, row);
  await completeCall(ctx, call);
  return call;
}

async function claimSame<Request extends object>(
  { db }: Needs<'db'>,
  { name, slot }: CallKind<Request>,
  { accountId, request }: Opening<Request>,
): Promise<CallRow | undefined> {
  const open = slot ? await findOpenCall(db, { accountId, slot }) : undefined;
  if (!open || open.kind !== name || !isDeepStrictEqual(open.request, request)) return undefined;
  return await claimCall(db, open.id, leaseS);
}
