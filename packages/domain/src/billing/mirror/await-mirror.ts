import { setTimeout } from 'node:timers/promises';
import { readMirrorState } from '@uprez/db/queries/billing/billing-customers';
import { type MirrorContext, mirrorAccount } from './mirror-customer.ts';

const waitMs = 10_000;
const pollMs = 100;

/** Reads the customer of an account now, and returns when it is stored: by this process, or by one that took it over. */
export async function refreshMirror(ctx: MirrorContext, accountId: string): Promise<void> {
  if (!(await mirrorAccount(ctx, accountId))) await awaitMirror(ctx, accountId);
}

/** Waits until what changed at Stripe is stored. Reads the customer itself if no other process does. */
export async function awaitMirror(ctx: MirrorContext, accountId: string): Promise<void> {
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const state = await readMirrorState(ctx.db, accountId);
    if (!state || state.isCurrent) return;
    if (state.isLeased) await setTimeout(pollMs);
    else await mirrorAccount(ctx, accountId);
    // A read that failed is repeated later.
    if (state.failures > 0) return;
  }
}
