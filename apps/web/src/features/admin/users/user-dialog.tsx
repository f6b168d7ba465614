import type { Tier } from '@uprez/contracts/policy/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { formatTime } from '../../../lib/format/format.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { dialogMessages } from './dialog-messages.ts';
import { GrantDialog } from './grant-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { TierDialog } from './tier-dialog.tsx';
import { dangerousActions, type UserAction } from './user-actions.ts';
import { nameOf } from './user-cell.tsx';

type ReasonAction = Exclude<UserAction, 'tier' | 'grant' | 'role'>;

/** The call of an action that needs only a reason. */
function send(action: ReasonAction, { id, suspendedAt }: AdminUser, reason: string) {
  const params = { id };
  switch (action) {
    case 'verify':
      return adminApi.adminResendVerification({ params, body: { reason } });
    case 'sign_out':
      return adminApi.adminEndUserSessions({ params, body: { reason } });
    case 'two_factor_off':
      return adminApi.adminRemoveTwoFactor({ params, body: { reason } });
    default: {
      const expected = suspendedAt !== null;
      return nameAuthor(
        adminApi.adminUpdateUser({ params, body: { suspended: action === 'suspend', expected, reason } }),
      );
    }
  }
}

/** What the action does, and that the user is in this state already if another administrator was faster. */
function describe(action: ReasonAction, { suspendedAt, suspendedReason }: AdminUser): string {
  const { description } = dialogMessages[action];
  if (action === 'suspend' && suspendedAt !== null)
    return `${description} ${dialogMessages.suspend.already(formatTime(suspendedAt), suspendedReason)}`;
  if (action === 'restore' && suspendedAt === null) return `${description} ${dialogMessages.restore.already}`;
  return description;
}

/** `tier`: the plan that is selected first. */
type UserDialogProps = { action: UserAction; user: AdminUser; tier?: Tier | undefined; onClose: () => void };

/** The dialog of an action. */
export function UserDialog({ action, user, tier, onClose }: UserDialogProps) {
  const name = nameOf(user);
  if (action === 'tier') return <TierDialog user={user} name={name} chosen={tier} onClose={onClose} />;
  if (action === 'grant') return <GrantDialog user={user} name={name} onClose={onClose} />;
  if (action === 'role') return <RoleDialog user={user} name={name} onClose={onClose} />;
  const text = dialogMessages[action];
  return (
    <ReasonDialog
      title={text.title(name)}
      description={describe(action, user)}
      text={text}
      look={dangerousActions.includes(action) ? 'danger' : 'primary'}
      send={async (reason) => {
        await send(action, user, reason);
        showToast({ title: text.done });
      }}
      onClose={onClose}
    />
  );
}
