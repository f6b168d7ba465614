/** Waits for the advisory lock of a name until the transaction ends. */
export const lockStatement = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
