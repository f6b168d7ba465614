import { limits } from '@uprez/contracts/policy/limits';
import { plans } from '@uprez/contracts/policy/plans';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';

/** The largest file that an actor may send, bytes: by plan, more through the public API than through the web app. */
export function largestUpload(actor: Pick<Actor, 'tier' | 'key'>): number {
  if (isSandbox(actor)) return limits.sandboxBytes;
  return plans[actor.tier].uploadBytes[surfaceOf(actor)] ?? limits.uploadBytes;
}
