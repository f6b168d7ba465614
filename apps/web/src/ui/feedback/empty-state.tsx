import type { ReactNode } from 'react';

function Art({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 96 64"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      className="h-16 w-24"
    >
      {children}
    </svg>
  );
}

/** `x` and `y`: its lower left corner. */
const AccentCell = ({ x, y }: { x: number; y: number }) => (
  <path d={`M${x} ${y - 18}a18 18 0 0 1 18 18h-18z`} className="fill-accent stroke-accent" />
);

export function EmptyQueueArt() {
  return (
    <Art>
      <path d="M30 12h18v18H30zM30 34h18v18H30zM52 34h18v18H52z" strokeDasharray="3 4" />
      <AccentCell x={52} y={30} />
    </Art>
  );
}

export function NoActivityArt() {
  return (
    <Art>
      <path d="M10 36h18v18H10z" strokeDasharray="3 4" />
      <AccentCell x={10} y={28} />
      <path d="M38 14h44M38 22h28M38 40h44M38 48h20" />
    </Art>
  );
}

export function OfflineArt() {
  return (
    <Art>
      <path d="M6 12h18v18H6zM6 34h18v18H6zM72 34h18v18H72z" />
      <AccentCell x={72} y={30} />
      <path d="M30 32h9M57 32h9M45 25l-3 14M54 25l-3 14" />
    </Art>
  );
}

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
