import type { ReactNode } from 'react';

type StatCardProps = { label: string; value: string; note?: string; children: ReactNode };

/** A number with its label and a comparison. */
export function StatCard({ label, value, note, children }: StatCardProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-bold text-lg tracking-tight sm:text-xl tabular-nums">{value}</dd>
      <dd className="text-muted text-xs tabular-nums">{children}</dd>
      {note && <dd className="text-muted text-xs max-sm:sr-only">{note}</dd>}
    </div>
  );
}
