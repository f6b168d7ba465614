import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminMessages } from '../messages.ts';

export type Failure<Row> = { row: Row; error: unknown };

/** Calls `call` for each row, one after another. Returns the rows that failed with their errors. */
export async function callEach<Row>(
  rows: readonly Row[],
  call: (row: Row) => Promise<unknown>,
): Promise<Failure<Row>[]> {
  const failures: Failure<Row>[] = [];
  for (const row of rows) {
    try {
      await call(row);
    } catch (error) {
      failures.push({ row, error });
    }
  }
  return failures;
}

/**
 * Calls `call` for each row, one after another. Shows a toast with the number of completed rows, or with the number of
 * failed rows and the first error. Returns the rows that failed, which stay selected.
 */
export async function runBulk<Row>(
  rows: readonly Row[],
  { call, done }: { call: (row: Row) => Promise<unknown>; done: (count: number) => string },
): Promise<readonly Row[]> {
  const failures = await callEach(rows, call);
  const [first] = failures;
  if (first) showErrorToast(adminMessages.table.bulkFailed(failures.length, rows.length), first.error);
  else showToast({ title: done(rows.length) });
  return failures.map(({ row }) => row);
}
