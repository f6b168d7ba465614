import type { FailureReport } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { engineFilter, engineName } from './engines-card.tsx';
import { type Days, endedRows } from './job-rows.ts';
import { analyticsMessages } from './messages.ts';
import { ReportTable } from './report-table.tsx';
import { RowLink } from './row-link.tsx';
import { useComparison } from './use-period.ts';

const text = analyticsMessages.reports;

const makeColumns = (days: Days) => [
  {
    name: text.code,
    cell: ({ code, engine }: FailureReport) => (
      <RowLink rows={endedRows(days, { ...engineFilter(engine), error: code })}>
        <code className="text-xs">{code}</code>
      </RowLink>
    ),
  },
  { name: text.engine, cell: ({ engine }: FailureReport) => engineName(engine) },
  { name: text.count, cell: ({ count }: FailureReport) => formatCount(count), isNumeric: true },
];
const previousColumn = {
  name: text.previous,
  cell: ({ previous }: FailureReport) => formatCount(previous),
  isNumeric: true,
};

/** Failed jobs by error code and engine. */
export function FailuresCard({ failures, days }: { failures: readonly FailureReport[]; days: Days }) {
  const [comparison] = useComparison();
  const columns = makeColumns(days);
  const isCompared = comparison === 'previous';
  const shown = failures.filter(({ count }) => isCompared || count > 0);
  return (
    <Card title={text.failures}>
      <p className="text-muted text-sm">{text.failureFormula}</p>
      {shown.length === 0 ? (
        <EmptyState {...text.noFailures} />
      ) : (
        <ReportTable
          caption={text.failures}
          rows={shown}
          columns={isCompared ? [...columns, previousColumn] : columns}
          keyOf={({ code, engine }) => `${code} ${engine}`}
        />
      )}
    </Card>
  );
}
