import type { Job } from '@uprez/contracts/job';
import { plans } from '@uprez/contracts/plans';
import type { User } from '@uprez/contracts/user';
import { outputSize } from '@uprez/imaging/plan/target-size';
import { useId } from 'react';
import { askToSignIn } from '../../lib/ask-to-sign-in.ts';
import { engineFor } from '../../lib/engine-for.ts';
import { previewPlan } from '../../lib/preview-plan.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Forecast } from './forecast.tsx';
import type { Picture } from './picture.ts';
import { PictureBar } from './picture-bar.tsx';
import { processPicture } from './process-picture.ts';
import { type Run, useProcessor } from './processor-store.ts';
import { ProgressPanel } from './progress-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { maxFactor, useSettings } from './settings-store.ts';
import { Stage } from './stage.tsx';

const text = messages.processor;

type WorkbenchProps = { picture: Picture; user: User | null; run: Run; job: Job | undefined };

function Form({ picture, user }: Pick<WorkbenchProps, 'picture' | 'user'>) {
  const [forecastId, refusalId] = [useId(), useId()];
  const { failure, note } = useProcessor();
  const chosen = useSettings();
  const settings = { ...chosen, scaleFactor: Math.min(chosen.scaleFactor, maxFactor(user !== null)) };
  const { size, file } = picture;
  const target = size && outputSize(size, settings.scaleFactor);
  const tier = user?.subscriptionTier ?? 'free';
  const engine = engineFor(tier, settings.scaleFactor);
  const outcome = size && previewPlan({ ...settings, size, mediaType: file.type, tier });
  const refusal = outcome && !outcome.ok ? outcome.refusal.detail : undefined;
  const start = () => (user ? void processPicture({ ...settings, engine }) : askToSignIn());
  return (
    <>
      <SettingsPanel settings={settings} target={target} signedIn={user !== null} disabled={false} />
      <div id={forecastId} className="border-line border-t pt-4">
        <Forecast size={size} target={target} outcome={outcome} />
        {engine === 'standard' && <p className="mt-2 text-muted text-xs">{text.withoutAi(plans[tier].maxFactor.ai)}</p>}
      </div>
      {failure && <Notice kind="danger">{failure}</Notice>}
      {note && <Notice kind="info">{note}</Notice>}
      <div className="max-lg:sticky max-lg:bottom-0 max-lg:-mx-4 max-lg:-mb-4 max-lg:rounded-b-card max-lg:border-line max-lg:border-t max-lg:bg-surface max-lg:p-4">
        {refusal && (
          <div id={refusalId} className="mb-3">
            <Notice kind="warning">{text.refused(refusal)}</Notice>
          </div>
        )}
        <Button
          size="wide"
          aria-describedby={refusal ? `${forecastId} ${refusalId}` : forecastId}
          disabled={refusal !== undefined}
          onClick={start}
        >
          {text.process}
        </Button>
      </div>
    </>
  );
}

/** The chosen picture on the light table, and beside it what can be done with it now. */
export function Workbench({ picture, user, run, job }: WorkbenchProps) {
  const completed = job?.status === 'completed' ? job : undefined;
  const busy = run.phase !== 'idle' && !completed;
  return (
    <section
      aria-label={text.region}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-6"
    >
      <Stage picture={picture} job={completed} done={busy ? (job?.progress ?? 0) : undefined} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 lg:p-5">
        <PictureBar picture={picture} disabled={busy} />
        {completed ? (
          <ResultPanel job={completed} />
        ) : busy ? (
          <ProgressPanel run={run} job={job} />
        ) : (
          <Form picture={picture} user={user} />
        )}
      </div>
    </section>
  );
}
