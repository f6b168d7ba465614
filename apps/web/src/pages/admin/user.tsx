import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { MissingPage } from '../../features/admin/frame/missing-page.tsx';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { userMessages } from '../../features/admin/users/messages.ts';
import { useAdminUser } from '../../features/admin/users/queries.ts';
import { nameOf } from '../../features/admin/users/user-cell.tsx';
import { UserMenu } from '../../features/admin/users/user-menu.tsx';
import { UserTabs } from '../../features/admin/users/user-tabs.tsx';
import { ViewAsButton } from '../../features/admin/users/view-as-button.tsx';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

const text = userMessages.detail;

/** One user, and what an administrator may do for them. */
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
