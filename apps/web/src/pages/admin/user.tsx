import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Link, useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { userMessages } from '../../features/admin/users/messages.ts';
import { useAdminUser } from '../../features/admin/users/queries.ts';
import { nameOf } from '../../features/admin/users/user-cell.tsx';
import { UserMenu } from '../../features/admin/users/user-menu.tsx';
import { UserTabs } from '../../features/admin/users/user-tabs.tsx';
import { ViewAsButton } from '../../features/admin/users/view-as-button.tsx';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

const text = userMessages.detail;

function MissingUser() {
  const back = (
    <Link to={adminPages.users} className={buttonStyle({ look: 'secondary' })}>
      {text.notFound.back}
    </Link>
  );
  return (
    <AdminPage title={text.notFound.title} subtitle={text.notFound.text}>
      <EmptyState title={text.notFound.title} action={back} />
    </AdminPage>
  );
}

/** One user, and what an administrator may do for them. */
export function UserPage() {
  const { id = '' } = useParams();
  const own = useOwnUser();
  const query = useAdminUser(id);
  if (hasErrorCode(query.error, 'user_not_found')) return <MissingUser />;
  const user = query.data;
  const actions = user && own && (
    <div className="flex flex-wrap gap-2">
      <ViewAsButton user={user} />
      <UserMenu user={user} own={own} />
    </div>
  );
  return (
    <AdminPage title={user ? nameOf(user) : text.loading} subtitle={user?.email ?? ''} actions={actions}>
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => own && <UserTabs key={found.id} user={found} own={own} />}
      </QueryView>
    </AdminPage>
  );
}
