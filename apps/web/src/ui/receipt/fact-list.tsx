import clsx from 'clsx';

const isCode = (value: string) => /^[0-9a-f]{64}$/.test(value);

/** The facts of a receipt. Hashes are shown as code. */
export function FactList({ facts }: { facts: readonly { label: string; value: string }[] }) {
  return (
    <dl className="grid divide-y divide-line border-line border-y text-sm">
      {facts.map(({ label, value }) => (
        <div key={label} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)]">
          <dt className="text-muted">{label}</dt>
          <dd className={clsx('min-w-0 tabular-nums wrap-anywhere', isCode(value) && 'font-mono text-xs leading-5')}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
