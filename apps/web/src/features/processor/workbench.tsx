import type { User } from '@uprez/contracts/schemas/user';
import { lazy, Suspense, useDeferredValue } from 'react';
import { ResultPanel } from './result/result-panel.tsx';
import { ResultView } from './result/result-view.tsx';
import { ProgressPanel } from './run/progress-panel.tsx';
import { useRun } from './run/use-run.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { ImageBar } from './source/image-bar.tsx';
import type { SourceImage } from './state/image.ts';
import { isBusy, useProcessor } from './state/processor-store.ts';
import { Workspace } from './workspace.tsx';

const DeletionReceiptDialog = lazy(async () => ({
  default: (await import('../../ui/receipt/receipt-dialogs.tsx')).DeletionReceiptDialog,
}));

export function Workbench({ image, user }: { image: SourceImage; user: User | null }) {
  const { run, job } = useRun();
  const busy = useProcessor(isBusy);
  const deletion = useProcessor((state) => state.deletion);
  const completed = run.phase === 'done' && job?.status === 'completed' ? job : undefined;
  const known = job?.originalSize;
  // The image is rendered before the panel, which takes longer.
  const hasPanel = useDeferredValue(true, false);
  return (
    <>
      <Workspace
        image={image}
        phase={run.phase}
        done={busy ? (job?.progress ?? 0) : undefined}
        result={completed && <ResultView key={completed.id} image={image} job={completed} />}
        panel={
          hasPanel && (
            <>
              <ImageBar image={image} known={known} disabled={busy} />
              {completed ? (
                <ResultPanel key={completed.id} job={completed} user={user} />
              ) : run.phase === 'idle' ? (
                <SettingsForm image={image} user={user} />
              ) : (
                <ProgressPanel run={run} job={job} fetches={typeof image.source === 'string'} />
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
