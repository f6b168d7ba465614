import { retention } from '@uprez/contracts/plans';
import { Link } from 'react-router';
import { ShortcutHint } from '../../features/keyboard/shortcut-hint.tsx';
import { ThemeSwitch } from '../../features/theme/theme-switch.tsx';
import { messages } from '../../messages.ts';
import { footerLinks } from '../../site-map.ts';

const text = messages.footer;

export function Footer() {
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex max-w-300 flex-wrap items-center gap-x-6 gap-y-4 px-4 py-8 text-muted text-sm sm:px-6">
        <p className="mr-auto">{text.promise(retention.resultMinutes / 60)}</p>
        <nav aria-label={messages.navigation.footer}>
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {footerLinks.map(({ label, to }) => (
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
