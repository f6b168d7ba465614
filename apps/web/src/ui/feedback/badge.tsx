import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

const badgeStyle = cva(
  'inline-flex min-h-5 items-center gap-1.5 rounded-full border border-line bg-surface px-2 font-medium text-xs whitespace-nowrap',
  {
    variants: {
      kind: { neutral: 'text-muted', success: 'text-success', warning: 'text-warning', danger: 'text-danger' },
    },
  },
);

type BadgeProps = { kind: 'neutral' | 'success' | 'warning' | 'danger'; children: ReactNode };

export function Badge({ kind, children }: BadgeProps) {
  return <span className={badgeStyle({ kind })}>{children}</span>;
}
