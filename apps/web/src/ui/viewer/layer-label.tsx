/** Name and sizes of an image. Small screens hide the sizes. */
export type LabelText = { name: string; facts: string };

const sides = { left: 'left-3', right: 'right-3' } as const;

type LayerLabelProps = LabelText & {
  side: keyof typeof sides /** No other label is on the same line. */;
  alone?: boolean;
};

/** The name of an image in its upper corner. */
export function LayerLabel({ name, facts, side, alone }: LayerLabelProps) {
  return (
    <span
      className={`pointer-events-none absolute top-3 z-10 rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums ${sides[side]} ${alone ? 'max-w-[calc(100%-1.5rem)]' : 'max-w-[calc(50%-1.25rem)]'}`}
    >
      {name}
      <span className="max-sm:hidden">{` · ${facts}`}</span>
    </span>
  );
}
