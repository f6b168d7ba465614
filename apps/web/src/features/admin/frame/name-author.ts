import { ApiError } from '@uprez/client/api-error';
import { ShownError } from '../../../lib/api/api-errors.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { adminMessages } from '../messages.ts';

/**
 * Awaits a call. If another administrator changed the user in the meantime, throws an error that says who did and when.
 */
export async function nameAuthor<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const { by, at } = (error instanceof ApiError ? error.meta : undefined) ?? {};
    if (typeof by !== 'string' || typeof at !== 'string') throw error;
    throw new ShownError(adminMessages.changedBy(by, formatTime(at)));
  }
}
