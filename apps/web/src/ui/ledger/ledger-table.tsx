import type { LedgerEntry } from '@uprez/contracts/schemas/jobs/metering';
import { ledgerKindNames } from '@uprez/contracts/texts/billing';
import { formatDateTime, formatSigned } from '../../lib/format/format.ts';

export const ledgerMessages = {
  caption: 'Credit history, newest first',
  time: 'Time',
  kind: 'Type',
  reason: 'Reason',
  meter: 'Images',
  units: 'Credits',
  meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
  kinds: ledgerKindNames,
  empty: { title: 'No credit history yet', text: 'Credits you receive and use appear here.' },
} as const;

const columns = [ledgerMessages.time, ledgerMessages.kind, ledgerMessages.reason, ledgerMessages.meter] as const;

function Row({ entry }: { entry: LedgerEntry }) {
  return (
    <tr className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-2.5 sm:table-row">
      <td className="order-3 whitespace-nowrap text-muted text-xs sm:py-2.5 sm:pr-4 sm:align-baseline">
        <time dateTime={entry.createdAt}>{formatDateTime(entry.createdAt)}</time>
      </td>
      <td className="whitespace-nowrap font-medium sm:py-2.5 sm:pr-4 sm:align-baseline sm:font-normal">
        {ledgerMessages.kinds[entry.kind]}
      </td>
      <td className="order-2 col-span-2 wrap-anywhere sm:py-2.5 sm:pr-4">{entry.reason}</td>
      <td className="order-3 justify-self-end whitespace-nowrap text-muted text-xs sm:py-2.5 sm:pr-4 sm:align-baseline">
        {ledgerMessages.meters[entry.meter]}
      </td>
      <td className="order-1 text-right font-medium tabular-nums sm:py-2.5 sm:align-baseline">
        {formatSigned(entry.units)}
      </td>
    </tr>
  );
}

export function LedgerTable({ rows }: { rows: readonly LedgerEntry[] }) {
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{ledgerMessages.caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="text-left text-muted text-xs">
          {columns.map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-normal">
              {name}
            </th>
          ))}
          <th scope="col" className="py-2 text-right font-normal">
            {ledgerMessages.units}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line border-line border-y sm:table-row-group">
        {rows.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}
