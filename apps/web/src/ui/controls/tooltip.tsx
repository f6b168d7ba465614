import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';

const openDelayMs = 700;
const skipDelayMs = 300;

export function TooltipProvider({ children }: { children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={openDelayMs} skipDelayDuration={skipDelayMs}>
      {children}
    </Radix.Provider>
  );
}

/** A tooltip for a control, which still needs an accessible name. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 animate-fade-in rounded-control bg-ink px-2.5 py-1 text-page text-xs"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
