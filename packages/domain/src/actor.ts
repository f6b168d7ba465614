import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';

/** The API key of a request. `isSandbox`: whether nothing is counted or charged. */
export type ActorKey = { id: string; isSandbox: boolean };

/** The user, or the program with an API key of the account, that makes a request. `plan`: the account's plan. */
export type Actor = {
  accountId: string;
  plan: Plan;
  key?: ActorKey | undefined;
  /** Set for programs without a key, such as image URLs. */
  surface?: 'api';
  /** Whether an administrator views the account as its user. Reads must not write to the account then. */
  isViewed?: boolean;
};

export const isSandbox = ({ key }: Pick<Actor, 'key'>): boolean => key?.isSandbox === true;

/** Returns the kind of jobs that an actor sees. Sandbox jobs are separate from all others. */
export const originKindOf = (actor: Pick<Actor, 'key'>): Origin['kind'] => (isSandbox(actor) ? 'sandbox' : 'image');

export const surfaceOf = ({ key, surface }: Pick<Actor, 'key' | 'surface'>): Origin['surface'] =>
  surface ?? (key ? 'api' : 'web');

export type Origin = { kind: 'image' | 'sandbox'; surface: 'web' | 'api'; apiKeyId: string | null };

export const originOf = (actor: Pick<Actor, 'key' | 'surface'>): Origin => ({
  kind: originKindOf(actor),
  surface: surfaceOf(actor),
  apiKeyId: actor.key?.id ?? null,
});

/** The origin of a batch applies to its items, even if another client uploads their files. */
export const originOfBatch = (batch: {
  surface: 'web' | 'api';
  apiKeyId: string | null;
  isSandbox: boolean;
}): Origin => ({
  kind: batch.isSandbox ? 'sandbox' : 'image',
  surface: batch.surface,
  apiKeyId: batch.apiKeyId,
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string is a UUID. PostgreSQL fails a query with any other ID. */
export const isUuid = (text: string): boolean => uuid.test(text);
