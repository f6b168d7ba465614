import { type Actor, isSandbox } from '../../actor.ts';

/** Who asks for work; visitors have the Free plan. */
export type Worked = Pick<Actor, 'plan' | 'key'> & Partial<Pick<Actor, 'accountId'>>;

/** Whether nobody pays for the work of an actor. */
export const isFreeWork = (actor: Worked): boolean => actor.plan.price === 0 || isSandbox(actor);

export type FreeWorkContext = {
  freeWork: {
    /** Counts the estimated seconds of free work for the caller's IP address. Throws `rate_limited` when they are used up. */
    spend: (actor: Worked, seconds: number) => Promise<void>;
  };
};
