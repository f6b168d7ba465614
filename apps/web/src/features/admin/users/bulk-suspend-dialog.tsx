import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { pluralize } from '@uprez/contracts/texts/format';
import { useRef } from 'react';
import { adminApi } from '../admin-api.ts';
import { runBulk } from '../table/run-bulk.ts';
import { dialogMessages } from './dialog-messages.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** Users to suspend or restore. `finish`: ends the bulk action; `kept` if it was canceled. */
export type BulkSuspension = {
  action: 'suspend' | 'restore';
  users: readonly AdminUser[];
  finish: (outcome: 'kept' | undefined) => void;
};

/** Suspends or restores several users for one reason, one after another. */
export function BulkSuspendDialog({ action, users, finish }: BulkSuspension) {
  const text = dialogMessages[action];
  const outcome = useRef<'kept' | undefined>('kept');
  const send = async (reason: string) => {
    const suspended = action === 'suspend';
    await runBulk(users, {
      call: ({ id, suspendedAt }) => {
        const expected = suspendedAt !== null;
        return adminApi.adminUpdateUser({ params: { id }, body: { suspended, expected, reason } });
      },
      done: text.bulk,
    });
    outcome.current = undefined;
  };
  return (
    <ReasonDialog
      title={text.title(pluralize(users.length, 'user'))}
      description={text.description}
      text={{ ...text, submit: text.action }}
      look={action === 'suspend' ? 'danger' : 'primary'}
      send={send}
      onClose={() => finish(outcome.current)}
    />
  );
}
