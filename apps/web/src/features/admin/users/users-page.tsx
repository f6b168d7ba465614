import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { userMessages } from './messages.ts';
import { UserList } from './user-list.tsx';

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
