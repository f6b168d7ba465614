import type { Cohort } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { formatMonth } from '../../../lib/format/format.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { type CohortRow, type CohortView, cohortViews, groupCohorts } from './cohorts.ts';
import { formatNumber } from './format-metric.ts';
import { analyticsMessages } from './messages.ts';
import { ReportTable } from './report-table.tsx';

const text = analyticsMessages.users;
const viewOptions = cohortViews.map((value) => ({ value, label: text.cohortViews[value] }));

/** Accounts by month of sign-up, and how many of them are active or pay in later months. */
export function CohortsCard({ cohorts }: { cohorts: readonly Cohort[] }) {
  const [view, setView] = useState<CohortView>('active');
  const rows = groupCohorts(cohorts, view);
  const months = Math.max(0, ...rows.map(({ shares }) => shares.length));
  const columns = [
    { name: text.signedUp, cell: ({ cohort }: CohortRow) => formatMonth(cohort) },
    { name: text.accounts, cell: ({ accounts }: CohortRow) => formatCount(accounts), isNumeric: true },
    ...Array.from({ length: months }, (_, age) => ({
      name: text.monthNumber(age),
      cell: ({ shares }: CohortRow) => (age < shares.length ? formatNumber(shares[age], 'share') : null),
      isNumeric: true,
    })),
  ];
  const views = <Segmented legend={text.cohortOf} legendHidden options={viewOptions} value={view} onChange={setView} />;
  return (
    <Card title={text.cohorts} actions={views}>
      <p className="text-muted text-sm">{text.cohortFormula[view]}</p>
      {rows.length === 0 ? (
        <EmptyState {...text.noCohorts} />
      ) : (
        <ReportTable caption={text.cohorts} rows={rows} columns={columns} keyOf={({ cohort }) => cohort} />
      )}
    </Card>
  );
}
