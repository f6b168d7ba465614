import { permissions } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { Check, X } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { permissionNames } from '../permission-names.ts';
import { profileMessages as text } from './messages.ts';
import { nameOf } from './user-cell.tsx';

export function ProfilePage() {
  const user = useOwnUser();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      {user && (
        <>
          <AccountCard user={user} />
          <PermissionsCard user={user} />
        </>
      )}
    </AdminPage>
  );
}

function AccountCard({ user }: { user: User }) {
  const link = (
    <Link to={paths.account} className={buttonStyle({ look: 'secondary' })}>
      {text.edit}
    </Link>
  );
  return (
    <Card title={text.account} actions={link}>
      <FactGrid
        facts={[
          [text.name, nameOf(user)],
          [text.email, user.email],
          [text.role, user.role && adminMessages.roles[user.role]],
          [text.twoFactor, user.twoFactorEnabled ? text.on : text.off],
        ]}
      />
      {!user.twoFactorEnabled && <Notice kind="warning">{text.noTwoFactor}</Notice>}
    </Card>
  );
}

const PermissionsCard = ({ user }: { user: User }) => (
  <Card title={text.permissions}>
    <ul className="grid gap-2 text-sm sm:grid-cols-2">
      {permissions.map((permission) => {
        const isIncluded = user.permissions.includes(permission);
        const Icon = isIncluded ? Check : X;
        return (
          <li key={permission} className={isIncluded ? 'flex gap-2' : 'flex gap-2 text-muted'}>
            <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0" />
            <span>
              {permissionNames[permission]}
              <span className="sr-only">{isIncluded ? text.included : text.excluded}</span>
            </span>
          </li>
        );
      })}
    </ul>
  </Card>
);
