import type { Needs } from '../context.ts';
import { refundAttempt } from './attempts.ts';
import { type Compared, verifyPassword } from './password-hash.ts';

/**
 * Compare a password whose guess was counted for a subject. The guess is refunded if nothing could be compared. Throws
 * `service_unavailable` when too many passwords wait.
 */
export async function verifyCounted(
  { db }: Needs<'db'>,
  { subject, ...compared }: Compared & { subject: string },
): Promise<boolean> {
  try {
    return await verifyPassword(compared);
  } catch (error) {
    await refundAttempt(db, subject);
    throw error;
  }
}
