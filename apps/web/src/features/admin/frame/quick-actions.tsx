import type { Permission } from '@uprez/contracts/policy/permissions';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { ExternalLink, PenLine, UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';
import { newPostLink, pagePermissions } from './admin-links.ts';

const text = adminMessages.quickActions;
const actionStyle = buttonStyle({ look: 'ghost', className: 'w-full justify-start px-3' });

/** `label`: the ID of the heading. */
type QuickActionsProps = { label: string; permissions: readonly Permission[]; onFollow?: (() => void) | undefined };

/** Shortcuts to frequent tasks: only those whose page exists. */
export function QuickActions({ label, permissions, onFollow }: QuickActionsProps) {
  return (
    <section aria-labelledby={label} className="grid gap-1 border-line border-t pt-4">
      <h2 id={label} className="px-3 font-medium text-muted text-xs">
        {text.title}
      </h2>
      {permissions.includes(newPostLink.permission) && (
        <Link to={newPostLink.to} className={actionStyle} onClick={onFollow}>
          <PenLine aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {newPostLink.label}
        </Link>
      )}
      {permissions.includes(pagePermissions[adminPages.newUser]) && (
        <Link to={adminPages.newUser} className={actionStyle} onClick={onFollow}>
          <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.addUser}
        </Link>
      )}
      <a href={paths.home} target="_blank" rel="noopener" className={actionStyle}>
        <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.viewSite}
        <span className="sr-only">{text.newTab}</span>
      </a>
    </section>
  );
}
