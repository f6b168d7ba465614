import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminMessages } from '../messages.ts';

/** Makes a call for each row, one after another, and shows how many succeeded, with the first error. */
export async function runBulk<Row>(
  rows: readonly Row[],
  { call, done }: { call: (row: Row) => Promise<unknown>; done: (count: number) => string },
): Promise<void> {
  const errors: unknown[] = [];
  for (const row of rows) {
    try {
      await call(row);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) showErrorToast(adminMessages.table.bulkFailed(errors.length, rows.length), errors[0]);
  else showToast({ title: done(rows.length) });
}
