import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { type JobFilter, listAnchor } from '../jobs/links.ts';
import { analyticsMessages } from './messages.ts';

export type ReportColumn<Row> = { name: string; cell: (row: Row) => ReactNode; isNumeric?: boolean };

type ReportTableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  /** The cells in the first column are row headers. */
  columns: readonly ReportColumn<Row>[];
  keyOf: (row: Row) => string;
};

/** Table for a small number of rows. Shows all rows without pagination. */
export function ReportTable<Row>({ caption, rows, columns, keyOf }: ReportTableProps<Row>) {
  return (
    // Scrollable with the keyboard on small screens.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus.
    <section aria-label={analyticsMessages.table(caption)} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted">
            {columns.map(({ name, isNumeric }) => (
              <th
                key={name}
                scope="col"
                className={clsx('px-2 py-1.5 font-normal whitespace-nowrap', isNumeric ? 'text-right' : 'text-left')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumeric }, index) => {
                const style = clsx('px-2 py-1.5', isNumeric ? 'text-right whitespace-nowrap' : 'text-left');
                return index === 0 ? (
                  <th key={name} scope="row" className={clsx(style, 'font-normal')}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={style}>
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type ReportCardProps<Row> = Omit<ReportTableProps<Row>, 'caption'> & {
  title: string;
  formula: string;
  actions?: ReactNode;
  /** Shown instead of a table without rows. */
  empty?: ComponentProps<typeof EmptyState>;
};

export const ReportCard = <Row,>({ title, formula, actions, empty, ...table }: ReportCardProps<Row>) => (
  <Card title={title} actions={actions}>
    <p className="text-muted text-sm">{formula}</p>
    {empty && table.rows.length === 0 ? <EmptyState {...empty} /> : <ReportTable caption={title} {...table} />}
  </Card>
);

type ChartCardProps<Key extends string> = Omit<ComponentProps<typeof DayChart<Key>>, 'label'> & { title: string };

export const ChartCard = <Key extends string>({ title, ...chart }: ChartCardProps<Key>) => (
  <Card title={title}>
    <DayChart label={title} {...chart} />
  </Card>
);

type RowPage = { path: string; hash?: string; permission: Permission };

const rowPages = {
  jobs: { path: adminPages.jobs, hash: listAnchor, permission: 'jobs.read' },
  users: { path: adminPages.users, permission: 'users.read' },
  subscriptions: { path: adminPages.payments, permission: 'payments.read' },
  transactions: { path: adminPages.transactions, permission: 'payments.read' },
  settings: { path: adminPages.settings, permission: 'settings.read' },
} satisfies Record<string, RowPage>;

export type RowsTarget = { page: keyof typeof rowPages; filter?: Readonly<Record<string, string>> | undefined };

type RowLinkProps = { rows: RowsTarget | undefined; children: ReactNode };

/** Links a number to the records behind it. Renders plain text if the role can't open their page. */
export function RowLink({ rows, children }: RowLinkProps) {
  const { path, hash, permission }: RowPage = rowPages[rows?.page ?? 'jobs'];
  const isOpen = useHasPermission(permission);
  if (!rows || !isOpen) return children;
  return (
    <Link
      to={{ pathname: path, search: new URLSearchParams(rows.filter).toString(), hash }}
      className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current print:no-underline"
    >
      {children}
    </Link>
  );
}

/** First and last day of a period (UTC). */
export type DayRange = { from: string; to: string };

const jobRows = (view: 'ended' | 'delivered', { from, to }: DayRange, filter: JobFilter): RowsTarget => ({
  page: 'jobs',
  filter: { view, from, to, ...filter },
});

/** Returns the page and filters that list the jobs that ended in a period. */
export const endedRows = (days: DayRange, filter: JobFilter = {}): RowsTarget => jobRows('ended', days, filter);

/** Returns the page and filters that list the images delivered in a period. */
export const deliveredRows = (days: DayRange, filter: JobFilter = {}): RowsTarget => jobRows('delivered', days, filter);
