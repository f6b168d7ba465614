import { type Actor, isSandbox } from '../actor.ts';

/** An idempotency key as it is kept: the sandbox has its own. No header holds a line break, so the two never meet. */
export const keyName = (actor: Pick<Actor, 'key'>, key: string): string => (isSandbox(actor) ? `sandbox\n${key}` : key);
