import clsx from 'clsx';
import { Camera } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { DropState, useDropArea } from '../../../lib/images/use-drop-area.ts';
import { messages } from '../../../messages.ts';
import { paths } from '../../../site-map.ts';
import { buttonStyle, linkStyle } from '../../../ui/controls/button.tsx';
import { DropStateIcon, dropFrames } from '../../../ui/controls/drop-area.tsx';

const text = messages.processor;
const UrlForm = lazy(async () => ({ default: (await import('./url-form.tsx')).UrlForm }));

type Area = ReturnType<typeof useDropArea>;
type DropZoneProps = Pick<Area, 'state' | 'buttonProps'> & {
  onFiles: Area['offer'];
  /** Maximum file size on the plan, in bytes. */
  maxBytes: number;
};

/** Opens the camera. Shown only on touch devices, because other devices would open the file picker instead. */
function CameraButton({ onFiles }: Pick<DropZoneProps, 'onFiles'>) {
  return (
    <label
      className={`${linkStyle} relative hidden min-h-11 items-center gap-2 has-focus-visible:outline-2 has-focus-visible:outline-focus pointer-coarse:flex`}
    >
      <Camera aria-hidden="true" strokeWidth={1.5} className="size-4" />
      {text.camera}
      <input
        type="file"
        accept="image/*"
        capture="environment"
        className="absolute inset-0 opacity-0"
        onChange={({ target }) => {
          onFiles(target.files ?? []);
          target.value = '';
        }}
      />
    </label>
  );
}

export function DropZone({ state, buttonProps, onFiles, maxBytes }: DropZoneProps) {
  const [asksUrl, setAsksUrl] = useState(false);
  return (
    <div
      className={`group relative grid min-h-72 place-content-center gap-3 rounded-card border p-6 transition-colors ${dropFrames[state]}`}
    >
      <button
        type="button"
        {...buttonProps}
        className="grid justify-items-center gap-4 rounded-card text-center after:absolute after:inset-0 after:rounded-card"
      >
        <DropStateIcon state={state} />
        <span className={buttonStyle({ className: 'group-hover:bg-accent-strong' })}>{text.choose}</span>
        <span className="grid gap-1 text-sm">
          <span className="pointer-coarse:hidden">{text.dropOrPaste}</span>
          <span className="text-muted">{text.accepted(maxBytes)}</span>
        </span>
      </button>
      <div className="relative z-10 flex min-h-9 flex-wrap items-center justify-center gap-x-4 justify-self-center">
        {asksUrl ? (
          <Suspense>
            <UrlForm />
          </Suspense>
        ) : (
          <>
            <button type="button" className={`${linkStyle} min-h-6`} onClick={() => setAsksUrl(true)}>
              {text.addressOpen}
            </button>
            <a href={paths.local} className={`${linkStyle} min-h-6`}>
              {text.onDevice}
            </a>
            <CameraButton onFiles={onFiles} />
          </>
        )}
      </div>
    </div>
  );
}

type DropOverlayProps = Pick<ReturnType<typeof useDropArea>, 'rootProps' | 'state'> & {
  /** Number of files that are being dragged over the window. */
  dragging: number;
};

const frames: Partial<Record<DropState, string>> = {
  accepted: 'border-solid border-accent',
  rejected: 'border-solid border-danger',
};

/** Covers the window while files are dragged over it, because files can be dropped anywhere. */
export function DropOverlay({ dragging, rootProps, state }: DropOverlayProps) {
  return (
    <div
      {...rootProps}
      className={clsx(
        'fixed inset-0 z-40 grid place-content-center justify-items-center gap-4 bg-veil p-6 text-center transition-opacity',
        dragging > 0 ? 'opacity-100' : 'pointer-events-none invisible opacity-0',
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
        {state === 'rejected' ? text.dropReject : dragging > 1 ? text.dropSeveral : text.dropAnywhere}
      </p>
    </div>
  );
}
