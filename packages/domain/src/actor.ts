import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { uuidPattern } from '@uprez/db/conditions';

/**
 * The API key that a request was made with. `isSandbox`: whether the key is for testing, so nothing is counted or
 * charged.
 */
export type ActorKey = { id: string; isSandbox: boolean };

/** Who makes a request: a user, or a program that acts for an account. `plan`: the account's plan. */
export type Actor = {
  accountId: string;
  plan: Plan;
  key?: ActorKey | undefined;
  /** Set for requests that come from a program but have no API key, such as image URLs. */
  surface?: 'api';
  /** Whether an administrator is viewing the account as its user. If so, reads must not write to the account. */
  isViewed?: boolean;
};

export const isSandbox = ({ key }: Pick<Actor, 'key'>): boolean => key?.isSandbox === true;

/** Returns the kind of jobs that an actor can see. Sandbox jobs are kept apart from all others. */
export const originKindOf = (actor: Pick<Actor, 'key'>): Origin['kind'] => (isSandbox(actor) ? 'sandbox' : 'image');

export const surfaceOf = ({ key, surface }: Pick<Actor, 'key' | 'surface'>): Origin['surface'] =>
  surface ?? (key ? 'api' : 'web');

export type Origin = { kind: 'image' | 'sandbox'; surface: 'web' | 'api'; apiKeyId: string | null };

export const originOf = (actor: Pick<Actor, 'key' | 'surface'>): Origin => ({
  kind: originKindOf(actor),
  surface: surfaceOf(actor),
  apiKeyId: actor.key?.id ?? null,
});

/** Returns the origin for a batch's items. It's the batch's origin, even if another client uploads the files. */
export const originOfBatch = (batch: {
  surface: 'web' | 'api';
  apiKeyId: string | null;
  isSandbox: boolean;
}): Origin => ({
  kind: batch.isSandbox ? 'sandbox' : 'image',
  surface: batch.surface,
  apiKeyId: batch.apiKeyId,
});

/** Whether a string is a UUID. Check IDs first, because PostgreSQL fails a query if the ID isn't one. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** Returns what `find` finds for an ID from a request. Throws `code` if it finds nothing, or if the ID isn't a UUID. */
export async function getByUuid<Row>(id: string, find: () => Promise<Row | undefined>, code: ErrorCode): Promise<Row> {
  const row = isUuid(id) ? await find() : undefined;
  if (row === undefined) throw new AppError(code);
  return row;
}
