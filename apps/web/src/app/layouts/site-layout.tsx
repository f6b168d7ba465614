import { retention } from '@uprez/contracts/policy/plans/plans';
import type { User } from '@uprez/contracts/schemas/user';
import { WifiOff } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, type Location, Outlet, ScrollRestoration, useBlocker, useMatch, useNavigate } from 'react-router';
import { tinykeys } from 'tinykeys';
import { create } from 'zustand';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { ThemeSwitch } from '../../features/theme/theme-switch.tsx';
import { useBilling } from '../../lib/billing/use-billing.ts';
import { useOnline } from '../../lib/browser/use-online.ts';
import { useUnsavedForms } from '../../lib/forms/unsaved-forms.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';
import { usesLetterKeys } from '../../lib/shortcuts/is-text-entry-target.ts';
import { keyboardMessages, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { runShortcutByKeys, useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages, productName } from '../../messages.ts';
import { footerLinks, paths } from '../../site-map.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { LogoMark } from '../../ui/layout/logo-mark.tsx';
import { useReloadAfterPayment } from '../payment-document.ts';
import { NavigationBar } from './navigation-bar.tsx';

function Footer() {
  const { user } = useAuth();
  return (
    <footer className="border-line border-t print:hidden">
      <div className="mx-auto flex max-w-300 flex-wrap items-center gap-x-6 gap-y-4 px-4 py-8 text-muted text-sm sm:px-6">
        <p className="mr-auto flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-2 font-medium text-ink">
            <LogoMark className="size-5" />
            {productName}
          </span>
          {messages.footer.promise(retention.resultMinutes / 60)}
        </p>
        <ShortcutHint />
        <ThemeSwitch />
        <nav aria-label={messages.navigation.footer} className="basis-full">
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {footerLinks(user ? 'user' : 'visitor').map(({ label, to }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}

function OfflineBanner() {
  const isOnline = useOnline();
  useEffect(() => {
    if (!isOnline) announce(messages.offline);
  }, [isOnline]);
  if (isOnline) return null;
  return (
    <p
      data-offline
      className="sticky top-14 z-20 flex items-center justify-center gap-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <WifiOff aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />
      {messages.offline}
    </p>
  );
}

const DeletionBanner = lazy(async () => ({
  default: (await import('../../features/account/deletion-banner.tsx')).DeletionBanner,
}));

function PendingDeletion({ user }: { user: User | null }) {
  const [id, deletesAt] = [user?.id, user?.deletesAt ?? null];
  const [known, setKnown] = useState({ id, deletesAt, isNew: false });
  if (known.id !== id || known.deletesAt !== deletesAt)
    setKnown({ id, deletesAt, isNew: known.id === id && known.deletesAt === null });
  return (
    deletesAt !== null && (
      <Suspense>
        <DeletionBanner deletesAt={deletesAt} isNew={known.isNew} />
      </Suspense>
    )
  );
}

const TermsBanner = lazy(async () => ({
  default: (await import('../../features/terms/terms-banner.tsx')).TermsBanner,
}));

const PendingTerms = ({ pending }: { pending: User['pendingTerms'] }) =>
  pending && (
    <Suspense>
      <TermsBanner pending={pending} />
    </Suspense>
  );

const UnpaidBanner = lazy(async () => ({
  default: (await import('../../features/billing/unpaid-banner.tsx')).UnpaidBanner,
}));

/** The billing page shows the banner itself, and only paid plans have bills. */
function UnpaidBill({ user }: { user: User | null }) {
  const isBillingPage = useMatch(paths.billing) !== null;
  const enabled = user !== null && user.subscriptionTier !== 'free' && !isBillingPage;
  const { data } = useBilling({ enabled, isLive: true });
  return (
    enabled &&
    data?.unpaid && (
      <Suspense>
        <UnpaidBanner unpaid={data.unpaid} override={data.override} />
      </Suspense>
    )
  );
}

const AccountViewBanner = lazy(async () => ({
  default: (await import('../../features/account-view/account-view-banner.tsx')).AccountViewBanner,
}));

/**
 * Loads and shows the banner while an administrator views the account, and opens the administrator's own account
 * afterward.
 */
function AccountView({ user }: { user: User | null }) {
  const viewedId = user?.viewedBy && user.id;
  const lastViewedId = useRef(viewedId);
  useEffect(() => {
    const lastId = lastViewedId.current;
    const hasEnded = user && lastId !== undefined && lastId !== user.id;
    if (hasEnded)
      void import('../../lib/session/account-view.ts').then((view) => view.returnToOwnAccount(user.id, lastId));
    lastViewedId.current = viewedId;
  }, [user, viewedId]);
  return (
    user?.viewedBy && (
      <Suspense>
        <AccountViewBanner user={user} until={user.viewedBy.until} />
      </Suspense>
    )
  );
}

const SitePalette = lazy(async () => ({ default: (await import('../palette/site-palette.tsx')).SitePalette }));

function Palette() {
  const [open, setOpen] = useState(false);
  useShortcut('palette', () => setOpen(true));
  return (
    open && (
      <Suspense>
        <SitePalette onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}

const LeaveDialog = lazy(async () => ({ default: (await import('./leave-dialogs.tsx')).LeaveDialog }));

const tabOf = ({ search }: Pick<Location, 'search'>) => new URLSearchParams(search).get('tab');

/**
 * Asks for confirmation before the user leaves a page, or one of its tabs, with an unsaved form. Other changes to the
 * query string, such as filters, keep the form open and need no confirmation.
 */
function LeaveQuestion() {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      // Reads the current state, because a redirect may have already replaced the form.
      useUnsavedForms.getState().ids.length > 0 && (from.pathname !== to.pathname || tabOf(from) !== tabOf(to)),
  );
  return (
    blocker.state === 'blocked' && (
      <Suspense>
        <LeaveDialog blocker={blocker} />
      </Suspense>
    )
  );
}

/** Mounted only while a form is unsaved, because a router supports only one blocker. */
const LeaveConfirmation = () => useUnsavedForms(({ ids }) => ids.length > 0) && <LeaveQuestion />;

const SignOutDialog = lazy(async () => ({ default: (await import('./leave-dialogs.tsx')).SignOutDialog }));

function SignOutConfirmation() {
  const { signOut } = useSignOutConfirmation();
  return (
    signOut && (
      <Suspense>
        <SignOutDialog signOut={signOut} />
      </Suspense>
    )
  );
}

const contentId = 'content';

/** The first entry of a visit always has the key `default`, so it is stored by its path. */
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? pathname + search : key);

export function SiteLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  const { user } = useAuth();
  useReloadAfterPayment();
  // The API reference renders its own main landmark.
  const Content = useMatch(paths.reference) ? 'div' : 'main';
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${contentId}`}
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2 text-page text-sm focus:translate-y-0"
      >
        {messages.navigation.skip}
      </a>
      <NavigationBar />
      <AccountView user={user} />
      <OfflineBanner />
      <PendingDeletion user={user} />
      <PendingTerms pending={user?.pendingTerms} />
      <UnpaidBill user={user} />
      <Content id={contentId} tabIndex={-1} className="flex grow flex-col outline-none">
        {children}
      </Content>
      <Footer />
      <KeyboardShortcuts signedIn={user !== null} />
      <Palette />
      <SignOutConfirmation />
      <LeaveConfirmation />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  );
}

const ShortcutSheet = lazy(async () => ({
  default: (await import('../../features/keyboard/shortcut-sheet.tsx')).ShortcutSheet,
}));

const useShortcutSheet = create(() => ({ open: false }));
const openSheet = () => useShortcutSheet.setState({ open: true });
const closeSheet = () => useShortcutSheet.setState({ open: false });

const openLayerSelector = ':is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])[data-state="open"]';

/** Open layers receive all keys. Text fields receive all keys except chords such as Ctrl+K. */
const isIgnoredKeyEvent = (event: KeyboardEvent): boolean =>
  event.repeat ||
  event.isComposing ||
  (usesLetterKeys(event.target) && !event.ctrlKey && !event.metaKey) ||
  document.querySelector(openLayerSelector) !== null;

/**
 * Listens for all shortcuts with one listener. With separate listeners, `g d` would also trigger `d`. Returns a
 * function that removes the listener.
 */
function listenToShortcuts(): () => void {
  const bindings = shortcuts.map(
    ({ keys }) => [keys, (event: KeyboardEvent) => runShortcutByKeys(keys, event)] as const,
  );
  return tinykeys(window, Object.fromEntries(bindings), { ignore: isIgnoredKeyEvent });
}

function KeyboardShortcuts({ signedIn }: { signedIn: boolean }) {
  const navigate = useNavigate();
  const { open } = useShortcutSheet();
  useEffect(listenToShortcuts, []);
  useShortcut('sheet', openSheet);
  useShortcut('home', () => void navigate(paths.home));
  useShortcut('dashboard', () => void navigate(paths.dashboard), signedIn);
  return (
    open && (
      <Suspense>
        <ShortcutSheet onClose={closeSheet} />
      </Suspense>
    )
  );
}

/** Negative margins align the label with the links beside it. */
function ShortcutHint() {
  return (
    <Button look="ghost" className="-mx-4 text-muted pointer-coarse:hidden" onClick={openSheet}>
      {keyboardMessages.title}
      <Kbd keys="[Shift]+?" />
    </Button>
  );
}
