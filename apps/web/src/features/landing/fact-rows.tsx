/** Rows with a value. The last row is the total. */
export function FactRows({ rows }: { rows: readonly (readonly [what: string, value: string])[] }) {
  return (
    <dl className="flex h-full flex-col divide-y divide-line text-sm">
      {rows.map(([what, value]) => (
        <div key={what} className="flex flex-1 items-center justify-between gap-3 px-4 tabular-nums last:font-medium">
          <dt className="text-muted">{what}</dt>
          <dd className="shrink-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
