const colours = { done: 'bg-done', active: 'bg-active', failed: 'bg-failed' } as const;

type StatusDotProps = { kind: keyof typeof colours; text: string };

/** The state of a job: green when done, yellow while it runs, red otherwise; always with the word. */
export function StatusDot({ kind, text }: StatusDotProps) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${colours[kind]}`} />
      {text}
    </span>
  );
}
