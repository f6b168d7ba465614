import { limits } from '@uprez/contracts/policy/limits';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';

/** Returns the upload limit of an actor, bytes. It depends on the plan and is larger in the public API. */
export function largestUpload(actor: Pick<Actor, 'plan' | 'key' | 'surface'>): number {
  if (isSandbox(actor)) return limits.sandboxBytes;
  return actor.plan.uploadBytes[surfaceOf(actor)] ?? limits.uploadBytes;
}
