import { useState } from 'react';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { EnginesCard } from './engines-card.tsx';
import { type Operation, OperationDialog } from './operation-dialog.tsx';
import { OverviewCard } from './overview-card.tsx';
import { PoolsCard } from './pools-card.tsx';
import { useOverview } from './queries.ts';
import { WorkersCard } from './workers-card.tsx';

/** The queue, the engines, and the workers, with what may be changed about them. */
export function QueueOverview() {
  const query = useOverview();
  const [operation, setOperation] = useState<Operation>();
  return (
    <>
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(overview) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <OverviewCard overview={overview} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
              <EnginesCard overview={overview} onOperate={setOperation} />
              <WorkersCard overview={overview} onOperate={setOperation} />
            </div>
            <PoolsCard />
          </div>
        )}
      </QueryView>
      {operation && <OperationDialog operation={operation} onClose={() => setOperation(undefined)} />}
    </>
  );
}
