import { setTimeout } from 'node:timers/promises';
import { readSyncState } from '@uprez/db/queries/billing/billing-customers';
import { type SyncContext, syncAccount } from './sync-customer.ts';

const waitMs = 10_000;
const pollMs = 100;

/** Reads the customer of an account now, and returns when it is stored: by this process, or by one that took it over. */
export async function syncNow(ctx: SyncContext, accountId: string): Promise<void> {
  if (!(await syncAccount(ctx, accountId))) await awaitSync(ctx, accountId);
}

/** Waits until what changed at Stripe is stored. Reads the customer itself if no other process does. */
export async function awaitSync(ctx: SyncContext, accountId: string): Promise<void> {
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const state = await readSyncState(ctx.db, accountId);
    if (!state || state.isCurrent) return;
    if (state.isLeased) await setTimeout(pollMs);
    else await syncAccount(ctx, accountId);
    // A read that failed is repeated later.
    if (state.failures > 0) return;
  }
}
