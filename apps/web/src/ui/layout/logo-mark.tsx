export function LogoMark({ className, animated = false }: { className?: string; animated?: boolean }) {
  const cell = (order: number) =>
    animated ? { className: 'animate-resolve', style: { animationDelay: `${order * 150}ms` } } : {};
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className}>
      <path d="M3 3h8v8H3z" {...cell(0)} />
      <path d="M13 3a8 8 0 0 1 8 8h-8z" {...cell(1)} />
      <path d="M13 13h8v8h-8z" {...cell(2)} />
      <path d="M3 13h8v8H3z" {...cell(3)} />
    </svg>
  );
}

export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="text-accent">
      <LogoMark animated className="size-8" />
    </div>
  );
}
