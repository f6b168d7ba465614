import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';

/** Returns the upload limit of an actor, bytes. It depends on the plan and is larger in the public API. */
export function largestUpload(actor: Pick<Actor, 'tier' | 'key'>): number {
  if (isSandbox(actor)) return limits.sandboxBytes;
  return currentPlans[actor.tier].uploadBytes[surfaceOf(actor)] ?? limits.uploadBytes;
}
