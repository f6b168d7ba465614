/** Waits for the advisory lock of a name until the transaction ends. */
export const lockStatement = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Begins a transaction whose commit doesn't wait for the disk. Others who wait for its locks don't either. */
export const beginWithoutFlush = 'begin; set local synchronous_commit = off';

/** A commit that waits for the disk, and so for all commits before it. */
export const flushStatement = "select pg_logical_emit_message(true, 'uprez', '')";
