const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Whether an error means that PostgreSQL is unreachable or overloaded: a socket error, SQLSTATE class 08, 53, or 57P, a
 * timeout, or a deadlock.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionCodes.has(code) || /^(08|53|57P|25P03|40P01|55P03|57014)/.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
    error.message,
  );
}

/** Whether a thrown error means that another row already has the value (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

/** Whether a lock wasn't available within `lock_timeout` (SQLSTATE 55P03). */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/** Whether a transaction was rolled back because of a deadlock (SQLSTATE 40P01). */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01';
