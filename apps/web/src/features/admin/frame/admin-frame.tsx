import type { User } from '@uprez/contracts/schemas/user';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { triggerShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { StepUpDialog } from '../../../ui/overlays/step-up-dialog.tsx';
import { adminMessages as text } from '../messages.ts';
import { AdminNotices, isTwoFactorMissing, TwoFactorRequired, useAdminNotices } from './admin-notices.tsx';
import { AdminMenu, AdminSidebar } from './admin-sidebar.tsx';

function TopBar({ user }: { user: User }) {
  return (
    <div className="border-line border-b print:hidden">
      <div className="mx-auto flex min-h-12 w-full max-w-360 items-center gap-3 px-4 py-1 sm:px-6 sm:py-1.5">
        <AdminMenu permissions={user.permissions} />
        {user.role && (
          <span className="truncate text-muted text-sm max-sm:sr-only">{text.signedInAs(text.roles[user.role])}</span>
        )}
        <Button look="secondary" className="ml-auto px-3" onClick={() => triggerShortcut('palette')}>
          <Search aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.findPage}
        </Button>
      </div>
    </div>
  );
}

/** The top bar and the sidebar of all pages of administrators, and the dialog that asks for the password or a code. */
export function AdminFrame({ user, children }: { user: User; children: ReactNode }) {
  const notices = useAdminNotices();
  return (
    <>
      <TopBar user={user} />
      <div className="mx-auto flex w-full max-w-360 gap-8 px-4 py-3 sm:px-6 sm:py-8">
        <AdminSidebar permissions={user.permissions} />
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 max-sm:gap-3">
          {notices.data && <AdminNotices notices={notices.data} />}
          {isTwoFactorMissing(notices) ? <TwoFactorRequired /> : children}
        </div>
      </div>
      <StepUpDialog user={user} />
    </>
  );
}
