import { retention } from '@uprez/contracts/policy/plans';
import { Link } from 'react-router';
import { ShortcutHint } from '../../features/keyboard/keyboard.tsx';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { ThemeSwitch } from '../../features/theme/theme-switch.tsx';
import { messages, productName } from '../../messages.ts';
import { footerLinks } from '../../site-map.ts';
import { LogoMark } from '../../ui/layout/logo-mark.tsx';

const text = messages.footer;

export function Footer() {
  const { user } = useAuth();
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex max-w-300 flex-wrap items-center gap-x-6 gap-y-4 px-4 py-8 text-muted text-sm sm:px-6">
        <p className="mr-auto flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-2 font-medium text-ink">
            <LogoMark className="size-5" />
            {productName}
          </span>
          {text.promise(retention.resultMinutes / 60)}
        </p>
        <nav aria-label={messages.navigation.footer}>
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
        <ShortcutHint />
        <ThemeSwitch />
      </div>
    </footer>
  );
}
