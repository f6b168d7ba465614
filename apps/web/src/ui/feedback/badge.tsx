import type { ReactNode } from 'react';

const textColors = {
  neutral: 'text-muted',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
  info: 'text-code-name',
} as const;

export function Badge({ kind, children }: { kind: keyof typeof textColors; children: ReactNode }) {
  return (
    <span
      className={`inline-flex min-h-5 items-center gap-1.5 rounded-full border border-line bg-surface px-2 font-medium text-xs whitespace-nowrap ${textColors[kind]}`}
    >
      {children}
    </span>
  );
}

const colors = { done: 'bg-done', active: 'bg-active', failed: 'bg-failed', ended: 'bg-edge' } as const;
export type StatusKind = keyof typeof colors;

export function StatusDot({ kind, text }: { kind: StatusKind; text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${colors[kind]}`} />
      {text}
    </span>
  );
}
