import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';

/** The API key of a request. `isSandbox`: nothing is counted or charged. */
export type ActorKey = { id: string; isSandbox: boolean };

/** Who asks: a user, or a program with a key of the account. `plan`: what the account has. */
export type Actor = {
  accountId: string;
  plan: Plan;
  key?: ActorKey | undefined;
  /** Of programs without a key. */
  surface?: 'api';
  /** An administrator sees the account as its user does: reads must not write to it. */
  isViewed?: boolean;
};

export const isSandbox = ({ key }: Pick<Actor, 'key'>): boolean => key?.isSandbox === true;

/** The jobs that an actor sees: those of the sandbox are a world of their own. */
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

/** Whether PostgreSQL would take the text as an id; asking it with any other text is an error. */
export const isUuid = (text: string): boolean => uuid.test(text);
