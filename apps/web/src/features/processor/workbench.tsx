import type { User } from '@uprez/contracts/user';
import { lazy, Suspense, useDeferredValue } from 'react';
import type { Picture } from './picture.ts';
import { PictureBar } from './picture-bar.tsx';
import { isBusy, useProcessor } from './processor-store.ts';
import { ProgressPanel } from './progress-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { ResultView } from './result-view.tsx';
import { SettingsForm } from './settings-form.tsx';
import { Table } from './table.tsx';
import { useRun } from './use-run.ts';

const DeletionReceiptDialog = lazy(async () => ({
  default: (await import('../../ui/receipt/deletion-receipt-dialog.tsx')).DeletionReceiptDialog,
}));

type WorkbenchProps = { picture: Picture; user: User | null };

/** The chosen picture on the light table, and beside it what can be done with it now. */
export function Workbench({ picture, user }: WorkbenchProps) {
  const { run, job } = useRun();
  const busy = useProcessor(isBusy);
  const deletion = useProcessor((state) => state.deletion);
  const completed = run.phase === 'done' && job?.status === 'completed' ? job : undefined;
  const known = job?.originalSize;
  // The picture is seen first; all the fields come a moment later.
  const hasPanel = useDeferredValue(true, false);
  return (
    <>
      <Table
        picture={picture}
        phase={run.phase}
        done={busy ? (job?.progress ?? 0) : undefined}
        result={completed && <ResultView key={completed.id} picture={picture} job={completed} />}
        panel={
          hasPanel && (
            <>
              <PictureBar picture={picture} known={known} disabled={busy} />
              {completed ? (
                <ResultPanel key={completed.id} job={completed} user={user} />
              ) : run.phase === 'idle' ? (
                <SettingsForm picture={picture} user={user} />
              ) : (
                <ProgressPanel run={run} job={job} fetches={typeof picture.source === 'string'} />
              )}
            </>
          )
        }
      />
      {deletion && (
        <Suspense>
          <DeletionReceiptDialog {...deletion} onClose={() => useProcessor.setState({ deletion: undefined })} />
        </Suspense>
      )}
    </>
  );
}
