import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { CardPage, PageHeading } from '../../../ui/layout/page-heading.tsx';
import { adminMessages, adminMessages as text } from '../messages.ts';
import type { AdminPath } from './admin-links.ts';

type AdminPageProps = { title: string; subtitle: string; actions?: ReactNode; children: ReactNode };

export function AdminPage({ title, subtitle, actions, children }: AdminPageProps) {
  return (
    <>
      <div className="flex items-center justify-between gap-3 sm:flex-wrap sm:items-end">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
          <PageHeading title={text.title(title)} className="text-xl wrap-anywhere">
            {title}
          </PageHeading>
          <p className="text-muted text-sm wrap-anywhere max-sm:sr-only">{subtitle}</p>
        </div>
        {actions}
      </div>
      {children}
    </>
  );
}

const deniedText = adminMessages.denied;

export function AccessDenied({ adminRole: role }: { adminRole: Role | null }) {
  const [to, label] = role === null ? [paths.home, deniedText.home] : [paths.admin, deniedText.dashboard];
  return (
    <CardPage title={adminMessages.title(deniedText.title)} heading={deniedText.title}>
      <p className="text-muted text-sm">
        {role === null ? deniedText.text : deniedText.missing(adminMessages.roles[role])}
      </p>
      <Link to={to} className={buttonStyle({ className: 'justify-self-start' })}>
        {label}
      </Link>
    </CardPage>
  );
}

type MissingPageProps = { text: { title: string; text: string; back: string }; list: AdminPath };

export function MissingPage({ text, list }: MissingPageProps) {
  const back = (
    <Link to={list} className={buttonStyle({ look: 'secondary' })}>
      {text.back}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle="">
      <EmptyState title={text.text} action={back} />
    </AdminPage>
  );
}
