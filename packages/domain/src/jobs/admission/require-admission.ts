import type { Needs } from '../../context.ts';
import { isRepeat, type KeyedCall } from '../join-earlier.ts';
import type { Admission } from './open-admission.ts';

/**
 * Rejects a request for new work while it would wait too long. A repeat adds nothing to the queue, so it is accepted. Throws
 * `queue_full`.
 */
export const requireAdmission = (ctx: Needs<'db'> & { admission: Admission }, call: KeyedCall): Promise<void> =>
  ctx.admission.requireShortWait(call.actor).catch(async (error: unknown) => {
    if (!(await isRepeat(ctx, call))) throw error;
  });
