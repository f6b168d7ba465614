import type { ReactNode } from 'react';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { adminMessages as text } from '../messages.ts';

type AdminPageProps = { title: string; subtitle: string; actions?: ReactNode; children: ReactNode };

/** A page of administrators: title, subtitle, and content. On phones, the actions stay beside the title, above the content. */
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
