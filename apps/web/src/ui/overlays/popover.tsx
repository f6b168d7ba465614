import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { layerStyle } from '../controls/layer-style.ts';

export function Popover({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content sideOffset={6} collisionPadding={8} className={`${layerStyle} w-80 p-4 outline-none`}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
