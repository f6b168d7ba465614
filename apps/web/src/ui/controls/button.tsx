import { cva, type VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { LogoMark } from '../layout/logo-mark.tsx';
import { Tooltip } from './tooltip.tsx';

export const buttonStyle = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium text-sm whitespace-nowrap transition-colors select-none disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50',
  {
    variants: {
      look: {
        // Toasts don't cover elements with this class.
        primary: 'primary-action bg-accent text-on-accent hover:bg-accent-strong',
        secondary: 'border border-line bg-surface text-ink hover:bg-sunken',
        ghost: 'text-ink hover:bg-sunken',
        danger: 'border border-line bg-surface text-danger hover:border-danger hover:bg-sunken',
      },
      size: {
        normal: 'control px-4',
        wide: 'control w-full px-4',
        icon: 'control w-9 px-0 pointer-coarse:w-11',
        small: 'min-h-7 px-2.5 text-xs pointer-coarse:min-h-9',
      },
    },
    defaultVariants: { look: 'primary', size: 'normal' },
  },
);

export const linkStyle =
  'justify-self-center rounded-control px-2 py-1 text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current';

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonStyle> & {
    /** Whether a response is pending. The button keeps its focus and width, and ignores clicks. */
    pending?: boolean;
    /** Text while pending. Without it, the spinner replaces the label. */
    pendingText?: string;
  };

const ignoreClick = (event: MouseEvent) => event.preventDefault();
const layerStyle = 'col-start-1 row-start-1 inline-flex items-center justify-center gap-2';

/** Puts both labels in the same grid cell, so that the wider one sets the width. */
function Label({ pending, pendingText, children }: Pick<ButtonProps, 'pending' | 'pendingText' | 'children'>) {
  // Without a pending text, the label stays readable for screen readers.
  const away = pendingText ? 'invisible' : 'opacity-0';
  return (
    <span className="inline-grid">
      <span className={pending ? `${layerStyle} ${away}` : layerStyle}>{children}</span>
      <span className={pending ? layerStyle : `${layerStyle} invisible`}>
        {pendingText ?? <LogoMark animated={pending === true} className="size-4" />}
      </span>
    </span>
  );
}

export function Button({ look, size, className, type = 'button', pending, pendingText, ...props }: ButtonProps) {
  if (pending === undefined) {
    return <button type={type} className={buttonStyle({ look, size, className })} {...props} />;
  }
  const { children, onClick, ...rest } = props;
  return (
    <button
      type={type}
      className={buttonStyle({ look, size, className })}
      aria-disabled={pending || undefined}
      onClick={pending ? ignoreClick : onClick}
      {...rest}
    >
      <Label pending={pending} pendingText={pendingText}>
        {children}
      </Label>
    </button>
  );
}

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
