import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { pluralize } from '@uprez/contracts/texts/format';
import { useRef, useState } from 'react';
import { errorMessage, ShownError } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { adminMessages } from '../messages.ts';
import { callEach, type Failure } from '../table/run-bulk.ts';
import { dialogMessages } from './dialog-messages.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** Users to suspend or restore, as they are listed now. `finish`: ends the bulk action. Takes the users that are left. */
export type BulkSuspension = {
  action: 'suspend' | 'restore';
  users: readonly AdminUser[];
  finish: (left: readonly AdminUser[]) => void;
};

function Failures({ failures, count }: { failures: readonly Failure<AdminUser>[]; count: number }) {
  return (
    <Notice kind="danger">
      <p>{adminMessages.table.bulkFailed(failures.length, count)}</p>
      <ul className="mt-1 grid gap-1">
        {failures.map(({ row, error }) => (
          <li key={row.id}>{`${row.email}: ${errorMessage(error)}`}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Suspends or restores several users for one reason, one after another. Stays open for those that failed. */
export function BulkSuspendDialog({ action, users, finish }: BulkSuspension) {
  const text = dialogMessages[action];
  const [failed, setFailed] = useState<{ failures: readonly Failure<AdminUser>[]; count: number }>();
  const isLeft = ({ id }: AdminUser) => !failed || failed.failures.some(({ row }) => row.id === id);
  const left = users.filter(isLeft);
  const latest = useRef<readonly AdminUser[]>(left);
  const send = async (reason: string) => {
    const suspended = action === 'suspend';
    const failures = await callEach(left, ({ id, suspendedAt }) => {
      const expected = suspendedAt !== null;
      return nameAuthor(adminApi.adminUpdateUser({ params: { id }, body: { suspended, expected, reason } }));
    });
    latest.current = failures.map(({ row }) => row);
    setFailed({ failures, count: left.length });
    if (failures.length > 0) throw new ShownError(adminMessages.table.bulkFailed(failures.length, left.length));
    showToast({ title: text.bulk(left.length) });
  };
  return (
    <ReasonDialog
      title={text.title(pluralize(left.length, 'user'))}
      description={text.description}
      text={{ ...text, submit: text.action }}
      look={action === 'suspend' ? 'danger' : 'primary'}
      notice={failed && failed.failures.length > 0 && <Failures {...failed} />}
      send={send}
      onClose={() => finish(latest.current)}
    />
  );
}
