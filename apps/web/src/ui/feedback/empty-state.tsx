import type { ReactNode } from 'react';

type EmptyStateProps = { title: string; text?: ReactNode; action?: ReactNode; illustration?: ReactNode };

export function EmptyState({ title, text, action, illustration }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1 px-4 py-10 text-center">
      {illustration && <div className="mb-3 text-muted">{illustration}</div>}
      <p className="font-medium text-sm">{title}</p>
      {text && <div className="max-w-sm text-muted text-sm">{text}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
