import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'size'> & { label: string; icon: LucideIcon };

export function IconButton({ label, icon: Icon, look = 'ghost', ...props }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button look={look} size="icon" aria-label={label} {...props}>
        <Icon aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Button>
    </Tooltip>
  );
}
