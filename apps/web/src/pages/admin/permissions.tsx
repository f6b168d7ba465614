import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { permissionMessages as text } from '../../features/admin/security/permission-messages.ts';
import { RoleMatrix } from '../../features/admin/security/role-matrix.tsx';
import { SecurityTabs } from '../../features/admin/security/security-tabs.tsx';
import { StaffList } from '../../features/admin/security/staff-list.tsx';
import { buttonStyle } from '../../ui/controls/button.tsx';

/** The administrators, and what their roles include. */
export function PermissionsPage() {
  const own = useOwnUser();
  const mayInvite = useMay('users.manage');
  const inviteLink = (
    <Link to={adminPages.newUser} className={buttonStyle()}>
      <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.invite}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayInvite && inviteLink}>
      <SecurityTabs />
      {own && <StaffList own={own} />}
      <RoleMatrix />
    </AdminPage>
  );
}
