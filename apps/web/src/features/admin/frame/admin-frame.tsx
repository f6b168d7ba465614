import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import type { AdminNotices as Notices } from '@uprez/contracts/schemas/admin/users';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { incidentPath } from '@uprez/contracts/texts/site/pages';
import clsx from 'clsx';
import { ChevronDown, ExternalLink, Menu as MenuIcon, PenLine, Search, UserPlus } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { triggerShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { CardPage } from '../../../ui/layout/page-heading.tsx';
import { CloseButton, overlayStyle } from '../../../ui/overlays/dialog.tsx';
import { StepUpDialog } from '../../../ui/overlays/step-up-dialog.tsx';
import { adminMessages, adminMessages as text } from '../messages.ts';
import { entriesFor, findCurrentLink, isCurrentEntry, newPostLink, pagePermissions } from './admin-links.ts';
import { useHasPermission } from './use-own-user.ts';

export function AdminFrame({ user, children }: { user: User; children: ReactNode }) {
  const notices = useNotices();
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

const { notices: noticesText, twoFactor } = adminMessages;

const noticeLinkClass = 'underline underline-offset-4';

const useNotices = () => useQuery<Notices>({ queryKey: [adminRoutes.adminNotices.path], refetchInterval: 30_000 });

const isTwoFactorMissing = ({ error }: ReturnType<typeof useNotices>): boolean =>
  hasErrorCode(error, 'admin_two_factor');

function AdminNotices({ notices: { maintenanceMode, maintenance } }: { notices: Notices }) {
  const mayReadSettings = useHasPermission('settings.read');
  return (
    <>
      {maintenanceMode && (
        <Notice kind="warning">
          {noticesText.maintenanceMode}{' '}
          {mayReadSettings && (
            <Link to={adminPages.settings} className={noticeLinkClass}>
              {noticesText.settings}
            </Link>
          )}
        </Notice>
      )}
      {maintenance.map(({ id, title, hasStarted, startsAt, endsAt }) => (
        <Notice key={id} kind={hasStarted ? 'warning' : 'info'}>
          {hasStarted
            ? noticesText.goesOn(endsAt && formatDateTime(endsAt))
            : noticesText.starts(formatDateTime(startsAt))}{' '}
          <Link to={incidentPath(id)} className={noticeLinkClass}>
            {title}
          </Link>
        </Notice>
      ))}
    </>
  );
}

const TwoFactorRequired = () => (
  <CardPage title={adminMessages.title(twoFactor.title)} heading={twoFactor.title}>
    <p className="text-muted text-sm">{twoFactor.text}</p>
    <Link to={`${paths.account}#two-factor`} className={buttonStyle({ className: 'justify-self-start' })}>
      {twoFactor.action}
    </Link>
  </CardPage>
);

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

type LinksProps = { permissions: readonly Permission[]; onFollow?: (() => void) | undefined };

const linkStyle = ({ isActive, isBold = false }: { isActive: boolean; isBold?: boolean }) =>
  buttonStyle({
    look: 'ghost',
    className: clsx(
      'w-full justify-start',
      isActive && 'bg-sunken',
      isActive || isBold ? 'text-ink' : 'text-muted hover:text-ink',
      isBold && 'font-bold',
    ),
  });

type Entry = ReturnType<typeof entriesFor>[number];

type EntryProps = { entry: Entry; onFollow: (() => void) | undefined };

/**
 * Links of a sidebar entry. They stay in the document while hidden, because the entry's button refers to them by `id`.
 */
function EntryLinks({ entry, id, isShown, onFollow }: EntryProps & { id: string; isShown: boolean }) {
  const { pathname, search } = useLocation();
  const current = findCurrentLink(entry, { pathname, search });
  const isOpen = (path: string) => (path.split('?', 1)[0] === pathname ? 'page' : true);
  return (
    <ul id={id} aria-label={entry.label} hidden={!isShown} className="grid gap-0.5 pl-6">
      {entry.links.map((link) => (
        <li key={link.to}>
          <Link
            to={link.to}
            aria-current={link === current ? isOpen(link.to) : undefined}
            className={linkStyle({ isActive: link === current })}
            onClick={onFollow}
          >
            {link.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A group of links is open on its own pages. The user can toggle it until another page is opened. */
function SidebarEntry({ entry, onFollow }: EntryProps) {
  const id = useId();
  const { pathname } = useLocation();
  const [toggled, setToggled] = useState<{ pathname: string; isOpen: boolean }>();
  const { label, icon: Icon, to, links } = entry;
  const isCurrent = isCurrentEntry(entry, pathname);
  const isShown = toggled?.pathname === pathname ? toggled.isOpen : isCurrent;
  const title = (
    <>
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />
      {label}
    </>
  );
  return (
    <div className="grid gap-0.5">
      {to ? (
        <Link
          to={to}
          aria-current={isCurrent ? (to === pathname ? 'page' : true) : undefined}
          className={linkStyle({ isActive: isCurrent })}
          onClick={onFollow}
        >
          {title}
        </Link>
      ) : (
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={id}
          aria-current={isCurrent || undefined}
          className={linkStyle({ isActive: false, isBold: isCurrent })}
          onClick={() => setToggled({ pathname, isOpen: !isShown })}
        >
          {title}
          <ChevronDown
            aria-hidden="true"
            strokeWidth={1.75}
            className={clsx('ml-auto size-4 shrink-0 transition-transform', isShown && 'rotate-180')}
          />
        </button>
      )}
      {links.length > 0 && <EntryLinks {...{ entry, id, isShown, onFollow }} />}
    </div>
  );
}

function AdminLinks({ permissions, onFollow }: LinksProps) {
  const id = useId();
  return (
    <>
      <nav aria-label={text.heading} className="grid gap-0.5">
        {entriesFor(permissions).map((entry) => (
          <SidebarEntry key={entry.label} entry={entry} onFollow={onFollow} />
        ))}
      </nav>
      <QuickActions label={`${id}-quick`} permissions={permissions} onFollow={onFollow} />
    </>
  );
}

/** Scrolls the list to the current link, without scrolling the page. */
function scrollToCurrentLink(list: HTMLElement): void {
  const current = list.querySelector('[aria-current="page"]') ?? list.querySelector('[aria-current]');
  if (!current) return;
  const [{ top, bottom }, shown] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  if (top < shown.top || bottom > Math.min(shown.bottom, window.innerHeight))
    list.scrollTop += top - shown.top - list.clientHeight / 2;
}

export function AdminSidebar({ permissions }: LinksProps) {
  const { pathname } = useLocation();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (list.current) scrollToCurrentLink(list.current);
  }, [pathname]);
  return (
    <aside
      ref={list}
      className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] w-56 shrink-0 gap-4 self-start overflow-y-auto scroll-hint-y [scrollbar-width:thin] lg:grid print:hidden"
    >
      <p className="px-4 font-bold">{text.heading}</p>
      <AdminLinks permissions={permissions} />
    </aside>
  );
}

function AdminMenu({ permissions }: LinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild>
        <Button look="secondary" className="px-3 lg:hidden">
          <MenuIcon aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.heading}
        </Button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className={clsx(overlayStyle, 'lg:hidden')} />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 grid w-72 max-w-[85vw] animate-fade-in content-start gap-4 overflow-y-auto border-line border-r bg-surface p-4 shadow-layer outline-none lg:hidden"
        >
          <Radix.Title className="px-4 py-1.5 text-base">{text.heading}</Radix.Title>
          <CloseButton />
          <AdminLinks permissions={permissions} onFollow={() => setIsOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const quickActionsText = text.quickActions;

const actionStyle = buttonStyle({ look: 'ghost', className: 'w-full justify-start px-3' });

/** `label`: the ID of the heading. */
type QuickActionsProps = { label: string; permissions: readonly Permission[]; onFollow?: (() => void) | undefined };

function QuickActions({ label, permissions, onFollow }: QuickActionsProps) {
  return (
    <section aria-labelledby={label} className="grid gap-1 border-line border-t pt-4">
      <h2 id={label} className="px-3 font-medium text-muted text-xs">
        {quickActionsText.title}
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
          {quickActionsText.addUser}
        </Link>
      )}
      <a href={paths.home} target="_blank" rel="noopener" className={actionStyle}>
        <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {quickActionsText.viewSite}
        <span className="sr-only">{quickActionsText.newTab}</span>
      </a>
    </section>
  );
}
