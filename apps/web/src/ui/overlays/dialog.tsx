import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../lib/layout/focus.ts';
import { Button } from '../controls/button.tsx';

const closeLabel = 'Close';
export const cancelLabel = 'Cancel';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** `screen`: as wide as the screen allows. */
  wide?: boolean | 'screen';
  /** Only the content can close the dialog: no close button, no Escape, no outside click. */
  locked?: boolean;
  /** Whether typed text would be lost. If so, Escape and outside clicks don't close the dialog. */
  unsaved?: boolean | undefined;
  /** May open while the user is typing. No button gets the focus, because the next key could press it. */
  interrupts?: boolean;
  children: ReactNode;
};

export const overlayStyle = 'fixed inset-0 z-40 animate-fade-in bg-veil';
const preventClose = (event: Event) => event.preventDefault();

/** Without a field, Radix focuses the first control. */
function focusFirstField(event: Event) {
  const content = event.currentTarget as HTMLElement;
  const field = content.querySelector<HTMLElement>('form :is(input, textarea, [role="combobox"]):enabled');
  if (!field) return;
  event.preventDefault();
  field.focus({ preventScroll: true });
  if (field instanceof HTMLInputElement) field.select();
}

export function CloseButton() {
  return (
    <Radix.Close asChild>
      <Button look="ghost" size="icon" aria-label={closeLabel} className="absolute top-3 right-3">
        <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Button>
    </Radix.Close>
  );
}

function focusDialog(event: Event) {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus({ preventScroll: true });
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide,
  locked,
  unsaved,
  interrupts,
  children,
}: DialogProps) {
  const returning = useReturnFocus();
  const undescribed = description ? {} : { 'aria-describedby': undefined };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          {...undescribed}
          {...returning}
          onOpenAutoFocus={(event) => {
            returning.onOpenAutoFocus();
            if (interrupts) focusDialog(event);
            else focusFirstField(event);
          }}
          onEscapeKeyDown={locked || unsaved ? preventClose : undefined}
          onInteractOutside={locked || unsaved ? preventClose : undefined}
          className={clsx(
            'fixed inset-0 z-40 m-auto grid h-fit grid-cols-[minmax(0,1fr)] max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] animate-slide-in gap-4 overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-layer outline-none sm:p-6',
            wide === 'screen' ? 'max-w-384' : wide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <div className="grid gap-1 pr-9">
            <Radix.Title className="wrap-anywhere text-lg">{title}</Radix.Title>
            {description && (
              <Radix.Description className="wrap-anywhere text-muted text-sm">{description}</Radix.Description>
            )}
          </div>
          {!locked && <CloseButton />}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
