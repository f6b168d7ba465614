import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../lib/layout/use-return-focus.ts';
import { CloseButton, overlayStyle } from './dialog.tsx';

type SheetProps = { open: boolean; onOpenChange: (open: boolean) => void; title: string; children: ReactNode };

/** A dialog at the edge of the screen: at the bottom on small screens, else on the right. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  const returning = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          {...returning}
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-40 grid max-h-[85dvh] animate-slide-in content-start gap-4 overflow-y-auto rounded-t-card border border-line bg-surface p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-layer outline-none sm:inset-y-0 sm:right-0 sm:left-auto sm:max-h-none sm:w-96 sm:rounded-none sm:rounded-l-card sm:p-6"
        >
          <Radix.Title className="pr-9 text-lg">{title}</Radix.Title>
          <CloseButton />
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
