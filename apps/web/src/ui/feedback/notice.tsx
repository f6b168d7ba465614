import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

const retryLabel = 'Try again';
const variants = {
  info: { Icon: Info, color: 'text-muted' },
  warning: { Icon: TriangleAlert, color: 'text-warning' },
  danger: { Icon: CircleAlert, color: 'text-danger' },
} as const;

/** `danger` is announced immediately. */
export function Notice({ kind, children }: { kind: keyof typeof variants; children: ReactNode }) {
  const { Icon, color } = variants[kind];
  return (
    <div
      role={kind === 'danger' ? 'alert' : undefined}
      className="flex animate-fade-in gap-2.5 rounded-control border border-line bg-surface p-3 text-sm"
    >
      <Icon aria-hidden="true" strokeWidth={1.75} className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
    </div>
  );
}

type RetryNoticeProps = Pick<ComponentProps<typeof Button>, 'children' | 'pending'> & { onRetry: () => void };

export function RetryNotice({ children, pending, onRetry }: RetryNoticeProps) {
  return (
    <Notice kind="danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {children}
        <Button look="secondary" size="small" pending={pending} onClick={onRetry}>
          {retryLabel}
        </Button>
      </div>
    </Notice>
  );
}
