import type { User } from '@uprez/contracts/user';
import { type ReactNode, useEffect } from 'react';
import { messages } from '../../messages.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { restorePicture } from './choose-picture.ts';
import { DropOverlay } from './drop-overlay.tsx';
import { DropZone } from './drop-zone.tsx';
import { milestone } from './milestone.ts';
import { useProcessor } from './processor-store.ts';
import { Rejections } from './rejections.tsx';
import { usePictureInput } from './use-picture-input.ts';
import { useRun } from './use-run.ts';
import { Workbench } from './workbench.tsx';

const text = messages.processor;

type ProcessorProps = { user: User | null /** Shown beside the empty drop zone. */; aside: ReactNode };

/** The single-image processor: choose a picture, set factor and format, get the result. */
export function Processor({ user, aside }: ProcessorProps) {
  const { picture, restoring, rejections } = useProcessor();
  const { run, job } = useRun();
  const busy = run.phase !== 'idle' && job?.status !== 'completed';
  const input = usePictureInput(busy);
  useEffect(() => void restorePicture(), []);
  return (
    <>
      <input {...input.getInputProps({ 'aria-label': text.file })} />
      <DropOverlay dragging={input.dragging} getRootProps={input.getRootProps} isDragReject={input.isDragReject} />
      <div role="status" className="sr-only">
        {milestone(run, job)}
      </div>
      <div className="grid gap-4">
        <Rejections rejections={rejections} />
        {picture ? (
          <Workbench picture={picture} user={user} run={run} job={job} />
        ) : restoring ? (
          <div className="grid min-h-96 place-items-center">
            <Spinner label={messages.session.loading} />
          </div>
        ) : (
          <div className="grid gap-4 lg:grid-cols-2 lg:gap-6">
            <DropZone onOpen={input.open} />
            {aside}
          </div>
        )}
      </div>
    </>
  );
}
