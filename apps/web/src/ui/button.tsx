import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

/** Looks of a button; links that act as buttons wear them too. */
export const buttonStyle = cva(
  'control inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium text-sm whitespace-nowrap transition-colors select-none disabled:opacity-50 aria-disabled:opacity-50',
  {
    variants: {
      look: {
        primary: 'bg-accent text-on-accent hover:bg-accent-strong',
        secondary: 'border border-line bg-surface text-ink hover:bg-sunken',
        ghost: 'text-ink hover:bg-sunken',
      },
      size: { normal: 'px-4', wide: 'w-full px-4', icon: 'w-9 px-0 pointer-coarse:w-11' },
    },
    defaultVariants: { look: 'primary', size: 'normal' },
  },
);

/** A button that reads as a link inside a form. */
export const linkStyle =
  'justify-self-center rounded-control px-2 py-1 text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current';

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonStyle>;

export function Button({ look, size, className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={buttonStyle({ look, size, className })} {...props} />;
}
