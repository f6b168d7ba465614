import clsx from 'clsx';
import { Menu as MenuIcon } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useId, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { CloseButton, overlayStyle } from '../../../ui/overlays/dialog.tsx';
import { adminMessages as text } from '../messages.ts';
import { adminGroups } from './admin-links.ts';

const linkStyle = ({ isActive }: { isActive: boolean }) =>
  buttonStyle({
    look: 'ghost',
    className: clsx('w-full justify-start px-3', isActive ? 'bg-sunken text-ink' : 'text-muted hover:text-ink'),
  });

function AdminLinks({ onFollow }: { onFollow?: () => void }) {
  const id = useId();
  const { pathname } = useLocation();
  return (
    <nav aria-label={text.heading} className="grid gap-5">
      {adminGroups.map(({ label, links }) => {
        const isCurrent = links.some(({ to }) => to === pathname);
        return (
          <div key={label} className="grid gap-1">
            <p
              id={`${id}-${label}`}
              aria-current={isCurrent || undefined}
              className={clsx('px-3 text-xs', isCurrent ? 'font-bold text-ink' : 'font-medium text-muted')}
            >
              {label}
            </p>
            <ul aria-labelledby={`${id}-${label}`} className="grid gap-0.5">
              {links.map((link) => (
                <li key={link.to}>
                  <NavLink to={link.to} end className={linkStyle} onClick={onFollow}>
                    {link.label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

export function AdminSidebar() {
  return (
    <aside className="sticky top-20 hidden w-52 shrink-0 gap-4 self-start lg:grid">
      <p className="px-3 font-bold">{text.heading}</p>
      <AdminLinks />
    </aside>
  );
}

/** The sidebar of small screens: opened by a button, above a dimmed page. */
export function AdminMenu() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild>
        <Button look="secondary" className="justify-self-start px-3 lg:hidden">
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
          <Radix.Title className="px-3 py-1.5 text-base">{text.heading}</Radix.Title>
          <CloseButton />
          <AdminLinks onFollow={() => setIsOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
