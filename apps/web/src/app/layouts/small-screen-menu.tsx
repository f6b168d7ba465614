import { Menu as MenuIcon } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { messages } from '../../messages.ts';
import { barLinks, paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';

const id = 'site-menu';
const linkStyle = buttonStyle({ look: 'ghost', className: 'w-full justify-start px-3 pointer-coarse:min-h-12' });

/** Menu for small screens. The browser closes the popover on Escape and on a press outside. */
export function SmallScreenMenu({ audience }: { audience: 'visitor' | 'user' }) {
  const menu = useRef<HTMLDivElement>(null);
  const account = { label: messages.navigation.account, to: paths.account };
  const links = [...barLinks(audience), ...(audience === 'user' ? [account] : [])];
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={messages.navigation.menu}
        className={buttonStyle({ look: 'ghost', size: 'icon', className: 'md:hidden' })}
      >
        <MenuIcon aria-hidden="true" strokeWidth={1.75} className="size-5" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="inset-x-0 top-14 bottom-auto m-0 w-full border-line border-b bg-page p-2 text-ink shadow-layer md:hidden"
      >
        <ul className="grid">
          {links.map(({ label, to }) => (
            <li key={to}>
              <Link to={to} className={linkStyle} onClick={() => menu.current?.hidePopover()}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
