import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { formatPercent } from '@uprez/contracts/texts/format';
import { useMemo, useState } from 'react';
import { useEngines } from '../../../lib/api/queries.ts';
import { makeSiteEngines } from '../../../lib/api/site-engines.ts';
import { useNow } from '../../../lib/browser/use-now.ts';
import { formatEstimate } from '../../../lib/format/format.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { bulkMessages as text } from '../messages.ts';
import { createBatchEta } from '../state/batch-eta.ts';
import type { BulkState } from '../state/bulk-store.ts';
import { etaItems } from '../state/eta-items.ts';
import type { Row } from '../state/row.ts';
import { BatchEmailChoice } from './batch-email-choice.tsx';

type RunProgressProps = Pick<BulkState, 'batches' | 'paused'> & {
  /** Of the run. */
  rows: readonly Row[];
  ownPlan: Plan;
  percent: number;
};

/** Progress and remaining time of a run. */
export function RunProgress({ rows, batches, paused, ownPlan, percent }: RunProgressProps) {
  const { data: engines } = useEngines();
  const terms = useMemo(() => ({ ownPlan, engines: engines && makeSiteEngines(engines) }), [ownPlan, engines]);
  const [estimate] = useState(createBatchEta);
  const now = useNow(1_000);
  const seconds = paused ? undefined : estimate(etaItems(rows, { batches, ...terms }), now);
  const left = seconds === undefined ? [] : [text.left(formatEstimate(seconds))];
  const valueText = [formatPercent(percent), ...left].join(' · ');
  return (
    <>
      <ProgressBar label={paused ? text.paused : text.progress} valueText={valueText} percent={percent} />
      <BatchEmailChoice seconds={seconds} />
    </>
  );
}
