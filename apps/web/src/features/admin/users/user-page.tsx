import { type AdminUser, adminViewBodySchema } from '@uprez/contracts/schemas/admin/users';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { ChevronDown, Eye } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { openViewedAccount } from '../../../lib/session/account-view.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage, MissingPage } from '../frame/admin-page.tsx';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { dialogMessages } from './dialog-messages.ts';
import { userMessages, viewAsMessages as viewAsText } from './messages.ts';
import { useAdminUser } from './queries.ts';
import { actionIcons, dangerousActions, listActions, type UserAction } from './user-actions.ts';
import { nameOf } from './user-cell.tsx';
import { reasonField, UserDialog } from './user-dialogs.tsx';
import { UserTabs } from './user-tabs.tsx';

const text = userMessages.detail;

export function UserPage() {
  const { id = '' } = useParams();
  const own = useOwnUser();
  const query = useAdminUser(id);
  if (hasErrorCode(query.error, 'user_not_found')) return <MissingPage text={text.notFound} list={adminPages.users} />;
  const user = query.data;
  const actions = user && own && (
    <div className="flex flex-wrap gap-2">
      <ViewAsButton user={user} />
      <UserMenu user={user} own={own} />
    </div>
  );
  return (
    <AdminPage
      title={user ? nameOf(user) : text.loading}
      subtitle={user && nameOf(user) !== user.email ? user.email : ''}
      actions={actions}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => own && <UserTabs key={found.id} user={found} own={own} />}
      </QueryView>
    </AdminPage>
  );
}

/** Hidden for users who are administrators, and from roles without `users.view_as`. */
function ViewAsButton({ user }: { user: Pick<AdminUser, 'id' | 'email' | 'role'> }) {
  const [isOpen, setOpen] = useState(false);
  const mayView = useHasPermission('users.view_as');
  if (!mayView || user.role !== null) return null;
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Eye aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {viewAsText.open}
      </Button>
      {isOpen && <ViewAsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}

type ViewAsDialogProps = { user: Pick<AdminUser, 'id' | 'email'>; onClose: () => void };

const ViewAsDialog = ({ user: { id, email }, onClose }: ViewAsDialogProps) => (
  <FormCallDialog
    text={{ ...viewAsText, title: viewAsText.title(email) }}
    schema={adminViewBodySchema}
    initial={{ reason: '' }}
    fields={[reasonField, <p className="text-muted text-sm">{viewAsText.browser}</p>]}
    call={async (body) => {
      const { data } = await adminApi.adminStartView({ params: { id }, body });
      await openViewedAccount(data.userId);
    }}
    onClose={onClose}
    // The dialog stays open until the dashboard replaces the page.
    onDone={() => {}}
  />
);

function UserMenu({ user, own }: { user: AdminUser; own: User }) {
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
