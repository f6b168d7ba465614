import type { User } from '@uprez/contracts/schemas/user';
import { Menu as MenuIcon, ShieldUser } from 'lucide-react';
import { useRef } from 'react';
import { Link, NavLink } from 'react-router';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { messages, productName } from '../../messages.ts';
import { barLinks, paths, signUpPath } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { LogoMark } from '../../ui/layout/logo-mark.tsx';

const text = messages.navigation;

function VisitorActions() {
  return (
    <>
      <Link to={paths.auth} className={buttonStyle({ look: 'ghost', className: 'px-3' })}>
        {text.signIn}
      </Link>
      <Link to={signUpPath} className={buttonStyle({ look: 'secondary', className: 'px-3 sm:px-4' })}>
        {text.getStarted}
      </Link>
    </>
  );
}

function UserActions({ user }: { user: User }) {
  const { logout, signOut } = useAuth();
  return (
    <>
      {/* Between these widths, the links leave no room for it. */}
      <span className="min-w-0 truncate text-muted text-sm md:max-lg:hidden">
        {text.welcome(user.firstName || user.email)}
      </span>
      {user.isAdmin && (
        <Link
          to={paths.admin}
          aria-label={text.admin}
          title={text.admin}
          className={buttonStyle({ look: 'ghost', size: 'icon', className: 'max-md:hidden' })}
        >
          <ShieldUser aria-hidden="true" strokeWidth={1.75} className="size-4" />
        </Link>
      )}
      <Link to={paths.account} className={buttonStyle({ look: 'ghost', className: 'px-3 max-md:hidden' })}>
        {text.account}
      </Link>
      <Button look="secondary" pending={logout.isPending} onClick={signOut}>
        {text.signOut}
      </Button>
    </>
  );
}

const menuId = 'site-menu';
const menuLinkStyle = buttonStyle({ look: 'ghost', className: 'w-full justify-start px-3 pointer-coarse:min-h-12' });

/** The browser closes the popover on Escape and on a press outside. */
function SmallScreenMenu({ user }: { user: User | null }) {
  const menu = useRef<HTMLDivElement>(null);
  const account = { label: text.account, to: paths.account };
  const admin = { label: text.admin, to: paths.admin };
  const links = [...barLinks(user ? 'user' : 'visitor'), ...(user ? [account] : []), ...(user?.isAdmin ? [admin] : [])];
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={text.menu}
        className={buttonStyle({ look: 'ghost', size: 'icon', className: 'md:hidden' })}
      >
        <MenuIcon aria-hidden="true" strokeWidth={1.75} className="size-5" />
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className="inset-x-0 top-14 bottom-auto m-0 w-full border-line border-b bg-page p-2 text-ink shadow-layer md:hidden"
      >
        <ul className="grid">
          {links.map(({ label, to }) => (
            <li key={to}>
              <Link to={to} className={menuLinkStyle} onClick={() => menu.current?.hidePopover()}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

export function NavigationBar() {
  const { user } = useAuth();
  const audience = user ? 'user' : 'visitor';
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-page print:hidden">
      <nav aria-label={text.main} className="mx-auto flex h-14 max-w-300 items-center gap-1 px-4 sm:px-6">
        <Link
          to={paths.home}
          aria-label={text.home}
          className="mr-auto flex items-center gap-2 rounded-control py-1 pr-2 md:mr-6"
        >
          <LogoMark className="size-6 text-accent" />
          <span className="font-bold text-base tracking-tight max-[26rem]:hidden">{productName}</span>
        </Link>
        {barLinks(audience).map(({ label, to }) => (
          <NavLink
            key={to}
            to={to}
            className={({ isActive }) =>
              buttonStyle({
                look: 'ghost',
                className: [
                  'px-3 max-md:hidden hover:text-ink',
                  isActive && !to.includes('#') ? 'text-ink' : 'text-muted',
                ],
              })
            }
          >
            {label}
          </NavLink>
        ))}
        <div className="flex min-w-0 items-center gap-1 sm:gap-2 md:ml-auto">
          {user ? <UserActions user={user} /> : <VisitorActions />}
          <SmallScreenMenu user={user} />
        </div>
      </nav>
    </header>
  );
}
