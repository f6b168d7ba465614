import type { DropzoneState } from 'react-dropzone';
import { messages } from '../../messages.ts';
import { LogoMark } from '../../ui/logo-mark.tsx';

const text = messages.processor;

type DropOverlayProps = Pick<DropzoneState, 'getRootProps' | 'isDragReject'> & { dragging: boolean };

/** Covers the window while files are dragged over it, so that they can be dropped anywhere. */
export function DropOverlay({ dragging, getRootProps, isDragReject }: DropOverlayProps) {
  return (
    <div
      {...getRootProps({
        className: `fixed inset-0 z-40 grid place-content-center justify-items-center gap-4 bg-veil transition-opacity ${
          dragging ? 'opacity-100' : 'pointer-events-none invisible opacity-0'
        }`,
      })}
    >
      <div className="pointer-events-none absolute inset-3 rounded-card border-2 border-accent border-dashed" />
      <LogoMark className="pointer-events-none size-12 text-accent" />
      <p className="pointer-events-none font-bold text-lg">{isDragReject ? text.dropReject : text.dropAnywhere}</p>
    </div>
  );
}
