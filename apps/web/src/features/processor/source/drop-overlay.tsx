import clsx from 'clsx';
import type { DropState } from '../../../lib/images/drop-rejection.ts';
import type { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { messages } from '../../../messages.ts';
import { DropStateIcon } from '../../../ui/controls/drop-area.tsx';

const text = messages.processor;

type DropOverlayProps = Pick<ReturnType<typeof useDropArea>, 'rootProps' | 'state'> & { dragging: boolean };

const frames: Partial<Record<DropState, string>> = {
  accepted: 'border-solid border-accent',
  rejected: 'border-solid border-danger',
};

/** Covers the window while files are dragged over it, so that they can be dropped anywhere. */
export function DropOverlay({ dragging, rootProps, state }: DropOverlayProps) {
  return (
    <div
      {...rootProps}
      className={clsx(
        'fixed inset-0 z-40 grid place-content-center justify-items-center gap-4 bg-veil p-6 text-center transition-opacity',
        dragging ? 'opacity-100' : 'pointer-events-none invisible opacity-0',
      )}
    >
      <div
        className={clsx(
          'pointer-events-none absolute inset-3 rounded-card border-2',
          frames[state] ?? 'border-dashed border-ink',
        )}
      />
      <div className="pointer-events-none scale-150">
        <DropStateIcon state={state} />
      </div>
      <p className="pointer-events-none font-bold text-lg">
        {state === 'rejected' ? text.dropReject : text.dropAnywhere}
      </p>
    </div>
  );
}
