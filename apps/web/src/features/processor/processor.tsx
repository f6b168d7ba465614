import type { User } from '@uprez/contracts/schemas/user';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { isBusy, useProcessor } from './processor-store.ts';
import { whenIdle } from './run/when-idle.ts';
import { restoreImage } from './source/choose-image.ts';
import { DropOverlay } from './source/drop-overlay.tsx';
import { DropZone } from './source/drop-zone.tsx';
import { Rejections } from './source/rejections.tsx';
import { useImageInput } from './source/use-image-input.ts';
import { useProcessorFocus } from './use-processor-focus.ts';
import { Workspace } from './workspace.tsx';

const text = messages.processor;

const loadWorkbench = () => import('./workbench.tsx');
const Workbench = lazy(async () => ({ default: (await loadWorkbench()).Workbench }));

type ProcessorProps = { user: User | null /** Shown next to the empty drop zone. */; aside: ReactNode };

/** The single-image processor. */
export function Processor({ user, aside }: ProcessorProps) {
  const { image, restoring, rejections } = useProcessor();
  const busy = useProcessor(isBusy);
  const input = useImageInput(busy);
  const place = useProcessorFocus();
  useEffect(() => void restoreImage(), []);
  // Preloads the code that a chosen image needs.
  useEffect(() => whenIdle(() => void loadWorkbench()), []);
  useShortcut('upload', input.open, !busy);
  return (
    <>
      <input {...input.inputProps} aria-label={text.file} />
      <DropOverlay dragging={input.dragging} rootProps={input.rootProps} state={input.state} />
      <div ref={place} tabIndex={-1} className="grid scroll-mt-12 outline-none grid-cols-[minmax(0,1fr)] gap-4">
        <Rejections rejections={rejections} />
        {image ? (
          <Suspense fallback={<Workspace image={image} panel={<Spinner label={messages.session.loading} />} />}>
            <Workbench image={image} user={user} />
          </Suspense>
        ) : restoring ? (
          <div className="grid min-h-96 place-items-center">
            <Spinner label={messages.session.loading} />
          </div>
        ) : (
          <div className="grid gap-4 lg:grid-cols-2 lg:gap-6">
            <DropZone state={input.state} buttonProps={input.buttonProps} onFiles={input.offer} />
            {aside}
          </div>
        )}
      </div>
    </>
  );
}
