import { CircleUser } from 'lucide-react';
import { Link } from 'react-router';
import { useAuth } from '../../features/session/auth-context.ts';
import { messages, productName } from '../../messages.ts';
import { barLinks, paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { LogoMark } from '../../ui/logo-mark.tsx';

const text = messages.navigation;

function VisitorActions() {
  return (
    <>
      <Link to={paths.auth} className={buttonStyle({ look: 'ghost', className: 'px-3' })}>
        {text.signIn}
      </Link>
      <Link to={paths.auth} className={buttonStyle({ look: 'secondary', className: 'px-3 sm:px-4' })}>
        {text.getStarted}
      </Link>
    </>
  );
}

function UserActions({ name }: { name: string }) {
  const { logout } = useAuth();
  return (
    <>
      <span className="min-w-0 truncate text-muted text-sm">{text.welcome(name)}</span>
      <Link to={paths.account} className={buttonStyle({ look: 'ghost', className: 'px-2 sm:px-3' })}>
        <CircleUser aria-hidden="true" strokeWidth={1.5} className="size-5 sm:hidden" />
        <span className="max-sm:sr-only">{text.account}</span>
      </Link>
      <Button look="secondary" disabled={logout.isPending} onClick={() => logout.mutate()}>
        {text.signOut}
      </Button>
    </>
  );
}

export function NavigationBar() {
  const { user } = useAuth();
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-page">
      <nav aria-label={text.main} className="mx-auto flex h-14 max-w-300 items-center gap-1 px-4 sm:px-6">
        <Link
          to={paths.home}
          aria-label={text.home}
          className="mr-auto flex items-center gap-2 rounded-control py-1 pr-2"
        >
          <LogoMark className="size-6 text-accent" />
          <span className="font-bold text-base tracking-tight">{productName}</span>
        </Link>
        {barLinks(user ? 'user' : 'visitor').map(({ label, to }) => (
          <Link key={to} to={to} className={buttonStyle({ look: 'ghost', className: 'px-3 max-sm:hidden' })}>
            {label}
          </Link>
        ))}
        <div className="flex min-w-0 items-center gap-1 sm:gap-2">
          {user ? <UserActions name={user.firstName || user.email} /> : <VisitorActions />}
        </div>
      </nav>
    </header>
  );
}
