import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Shorter failures are common: a later attempt succeeds. */
const failingS = 3_600;
const disabledS = 7 * 86_400;

const isFailing = sql<boolean>`(is_active and failing_since < now() - make_interval(secs => ${failingS}))`;
const wasDisabled = sql<boolean>`(not is_active and disabled_reason in ('gone', 'failing')
  and disabled_at > now() - make_interval(secs => ${disabledS}))`;
const counted = sql<boolean>`kind = 'endpoint' and not is_sandbox`;

export type FailingEndpoints = { failing: number; disabled: number };

/** Counts endpoints that have been failing for an hour, and those disabled in the last week because deliveries failed. */
export async function countFailingEndpoints(db: DbOrTx): Promise<FailingEndpoints> {
  const { rows } = await sql<FailingEndpoints>`
    select count(*) filter (where ${isFailing}) as failing, count(*) filter (where ${wasDisabled}) as disabled
    from webhook_endpoints where ${counted}`.execute(db);
  return rows[0] ?? { failing: 0, disabled: 0 };
}

/** Whether a row of `users` has such an endpoint. */
export const hasFailingEndpoint = sql<boolean>`exists (
  select from webhook_endpoints where account_id = users.id and ${counted} and (${isFailing} or ${wasDisabled}))`;
