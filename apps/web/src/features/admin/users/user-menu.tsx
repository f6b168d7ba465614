import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { User } from '@uprez/contracts/schemas/user';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { dialogMessages } from './dialog-messages.ts';
import { userMessages } from './messages.ts';
import { actionIcons, dangerousActions, listActions, type UserAction } from './user-actions.ts';
import { UserDialog } from './user-dialog.tsx';

const text = userMessages.detail;

/** What the administrator may do for a user. */
export function UserMenu({ user, own }: { user: AdminUser; own: User }) {
  const [action, setAction] = useState<UserAction>();
  const items = listActions(own, user).map((one) => ({
    label: dialogMessages[one].action,
    icon: actionIcons[one],
    danger: dangerousActions.includes(one),
    onSelect: () => setAction(one),
  }));
  const trigger = (
    <Button look="secondary">
      {text.actions}
      <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-4" />
    </Button>
  );
  return (
    <>
      {items.length > 0 && <Menu label={text.actions} trigger={trigger} items={items} />}
      {action && <UserDialog action={action} user={user} onClose={() => setAction(undefined)} />}
    </>
  );
}
