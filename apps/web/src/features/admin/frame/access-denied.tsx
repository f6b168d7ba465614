import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { CardPage } from '../../../ui/layout/page-heading.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.denied;

/** Shows that a page is for administrators, or that the administrator's role doesn't include it. */
export function AccessDenied({ adminRole: role }: { adminRole: Role | null }) {
  const [to, label] = role === null ? [paths.home, text.home] : [paths.admin, text.dashboard];
  return (
    <CardPage title={adminMessages.title(text.title)} heading={text.title}>
      <p className="text-muted text-sm">{role === null ? text.text : text.missing(adminMessages.roles[role])}</p>
      <Link to={to} className={buttonStyle({ className: 'justify-self-start' })}>
        {label}
      </Link>
    </CardPage>
  );
}
