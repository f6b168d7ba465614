import type { ReactNode } from 'react';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { adminMessages as text } from '../messages.ts';
import { AdminMenu, AdminSidebar } from './admin-sidebar.tsx';

type AdminPageProps = { title: string; subtitle: string; actions?: ReactNode; children: ReactNode };

/** The frame of all pages of administrators: sidebar, title, and subtitle. */
export function AdminPage({ title, subtitle, actions, children }: AdminPageProps) {
  return (
    <div className="mx-auto flex w-full max-w-360 gap-8 px-4 py-6 sm:px-6 sm:py-8">
      <AdminSidebar />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5">
        <AdminMenu />
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="grid gap-1">
            <PageHeading title={text.title(title)} className="text-xl">
              {title}
            </PageHeading>
            <p className="text-muted text-sm">{subtitle}</p>
          </div>
          {actions}
        </div>
        {children}
      </div>
    </div>
  );
}
