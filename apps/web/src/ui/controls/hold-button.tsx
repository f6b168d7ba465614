import type { LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from './icon-button.tsx';

type HoldButtonProps = { label: string; icon: LucideIcon; onHold: (held: boolean) => void };

const isPress = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter';

/** Active while it is held, by pointer or key. */
export function HoldButton({ label, icon, onHold }: HoldButtonProps) {
  const release = () => onHold(false);
  return (
    <IconButton
      label={label}
      icon={icon}
      onPointerDown={() => onHold(true)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={(event) => isPress(event) && onHold(true)}
      onKeyUp={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      className="touch-none"
    />
  );
}
