const colors = { done: 'bg-done', active: 'bg-active', failed: 'bg-failed' } as const;

type StatusDotProps = { kind: keyof typeof colors; text: string };

export function StatusDot({ kind, text }: StatusDotProps) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${colors[kind]}`} />
      {text}
    </span>
  );
}
