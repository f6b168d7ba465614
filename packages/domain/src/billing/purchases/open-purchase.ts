import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { findUser } from '@uprez/db/queries/accounts/users';
import { type CallRow, claimCall, findOpenCall, holdCall } from '@uprez/db/queries/billing/billing-calls';
import { type CallContext, leaseS } from '../calls/call-kind.ts';
import { openCall } from '../calls/open-call.ts';
import { runCall } from '../calls/run-call.ts';
import { toBillingError, wrongState } from '../calls/to-billing-error.ts';
import { closePurchase } from './close-purchase.ts';
import type { Purchase, PurchaseCall, PurchaseKind } from './purchase-kind.ts';

/** Maximum time to wait for another request of the account that creates or ends a purchase. */
const waitMs = 20_000;
const pollMs = 100;

type Opening = { accountId: string; request: Purchase };

/**
 * Returns what the customer needs to pay. An account can have one open purchase: a request with the same price, code,
 * and tax settings continues it, and any other request replaces it. Throws AppError: `already_subscribed` if the open
 * purchase was paid, `billing_busy`, or `subscription_state` if the account is scheduled for deletion.
 */
export async function openPurchase<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, opening: Opening) {
  const user = await findUser(ctx.db, opening.accountId);
  if (user?.deletesAt) throw wrongState('Your account is scheduled for deletion. Keep your account to buy something.');
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const offer = await tryPurchase(ctx, kind, opening);
    if (offer) return offer;
    if (performance.now() > untilMs) throw new AppError('billing_busy');
    await setTimeout(pollMs);
  }
}

/**
 * Tries to create or continue a purchase. Returns undefined if another request of the account holds its purchase or has
 * just ended it.
 */
async function tryPurchase<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, opening: Opening) {
  const opened = await openCall(ctx, kind, opening);
  if (opened) return await makeOffer(ctx, kind, opened);
  const open = await findOpenCall(ctx.db, { accountId: opening.accountId, slot: kind.slot });
  if (!open || open.isLeased) return undefined;
  const isSame = open.kind === kind.name && isSamePurchase(open.request, opening.request) && !open.isExpired;
  const offer = isSame && isMade(kind, open) ? await readOffer(ctx, kind, { ...open, ...opening }) : undefined;
  if (offer) return offer;
  const claimed = await claimCall(ctx.db, open.id, leaseS);
  if (!claimed) return undefined;
  if (isSame && !isMade(kind, claimed)) return await makeOffer(ctx, kind, claimed);
  await closePurchase(ctx, claimed, 'replaced');
  return undefined;
}

const isSamePurchase = (open: Partial<Purchase>, { priceId, coupon, collectsTax, billingAddress }: Purchase) =>
  open.priceId === priceId &&
  open.coupon?.code === coupon?.code &&
  (open.collectsTax ?? false) === collectsTax &&
  isDeepStrictEqual(open.billingAddress ?? null, billingAddress);
const isMade = ({ steps }: PurchaseKind<unknown>, { step }: CallRow) => step === steps.at(-1)?.name;

/** Completes the steps of a claimed purchase and returns what the customer needs to pay. */
async function makeOffer<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, row: CallRow) {
  const call = await runCall(ctx, kind, row);
  await holdCall(ctx.db, call);
  return await readOffer(ctx, kind, call);
}

/** Returns what the customer needs to pay. Returns undefined if the purchase was paid or can no longer be paid. */
async function readOffer<Offer>(ctx: CallContext, kind: PurchaseKind<Offer>, call: PurchaseCall) {
  const read = await kind.read(ctx, call).catch((error: unknown) => {
    throw toBillingError(error);
  });
  return read.state === 'open' ? read.offer : undefined;
}
