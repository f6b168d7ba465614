import { Ellipsis, type LucideIcon } from 'lucide-react';
import { DropdownMenu, Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { itemStyle, layerStyle } from '../controls/layer-style.ts';

type MenuItem = { label: string; icon?: LucideIcon; onSelect: () => void; danger?: boolean; disabled?: boolean };
type MenuProps = { label: string; trigger: ReactElement; items: readonly MenuItem[] };

export function ActionsMenu({ label, items }: Omit<MenuProps, 'trigger'>) {
  const trigger = (
    <Button look="ghost" size="icon" aria-label={label}>
      <Ellipsis aria-hidden="true" strokeWidth={1.75} className="size-4" />
    </Button>
  );
  return <Menu label={label} trigger={trigger} items={items} />;
}

export function Menu({ label, trigger, items }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          className={`${layerStyle} min-w-44 p-1`}
        >
          {items.map(({ icon: Icon, ...item }) => (
            <DropdownMenu.Item
              key={item.label}
              disabled={item.disabled}
              onSelect={item.onSelect}
              className={item.danger ? `${itemStyle} text-danger` : itemStyle}
            >
              {Icon && <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type PopoverProps = { label: string; trigger: ReactElement; children: ReactNode };

export function Popover({ label, trigger, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          sideOffset={6}
          collisionPadding={8}
          className={`${layerStyle} max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto p-4 outline-none`}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
