/** What a layer is, and its sizes, which small screens leave to the caption. */
export type LabelText = { name: string; facts: string };

const sides = { left: 'left-3', right: 'right-3' } as const;

/** Names a picture in its upper corner. */
export function LayerLabel({ name, facts, side }: LabelText & { side: keyof typeof sides }) {
  return (
    <span
      className={`pointer-events-none absolute top-3 z-10 max-w-[calc(50%-1.25rem)] rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums ${sides[side]}`}
    >
      {name}
      <span className="max-sm:hidden">{` · ${facts}`}</span>
    </span>
  );
}
