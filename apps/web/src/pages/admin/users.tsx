import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { userMessages } from '../../features/admin/users/messages.ts';
import { UserList } from '../../features/admin/users/user-list.tsx';
import { buttonStyle } from '../../ui/controls/button.tsx';

const text = userMessages.list;

/** All users. */
export function UsersPage() {
  const own = useOwnUser();
  const mayAdd = useMay('users.manage');
  const addLink = (
    <Link to={adminPages.newUser} className={buttonStyle()}>
      <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.add}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayAdd && addLink}>
      {own && <UserList own={own} />}
    </AdminPage>
  );
}
