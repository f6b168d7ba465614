import { useEffect, useState } from 'react';
import { acceptedFiles } from '../../../lib/images/accepted-files.ts';
import { describeRejection } from '../../../lib/images/rejection-reasons.ts';
import { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import type { CarriedFile } from '../../../lib/session/carried-files.ts';
import { isTyping } from '../../../lib/shortcuts/is-typing.ts';
import { messages } from '../../../messages.ts';
import { useProcessor } from '../state/processor-store.ts';
import { chooseImage } from './choose-image.ts';
import { namePastedFile } from './pasted-file.ts';

/** Files of dropped folders have a path. */
type FileWithPath = File & { relativePath?: string };

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** The number of files that are being dragged over the window. A drop outside of the overlay calls `onDrop`. */
function useWindowDrag(busy: boolean, onDrop: (files: FileList) => void): number {
  const [dragging, setDragging] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => carriesFiles(event) && listener(event), { signal: stop.signal });
    on('dragenter', ({ dataTransfer }) => setDragging(busy ? 0 : (dataTransfer?.items.length ?? 1)));
    on('dragover', (event) => event.preventDefault());
    // Only leaving the window has no related target.
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setDragging(0));
    on('drop', (event) => {
      setDragging(0);
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) onDrop(event.dataTransfer.files);
    });
    return () => stop.abort();
  }, [busy, onDrop]);
  return dragging;
}

type ImageInputOptions = {
  /** Whether a job keeps the image. Files aren't opened then. */
  busy: boolean;
  /** The plan's limit of a file. */
  maxBytes: number;
  /** Called when several images are chosen, dropped, or pasted, with all files in their order. */
  onSeveral: (files: CarriedFile[]) => void;
};

const carry = (file: FileWithPath, reason?: string): CarriedFile => ({
  file,
  name: file.name,
  size: file.size,
  relativePath: file.relativePath ?? file.name,
  reason,
});

/** Chooses an image by the file picker, by dropping it anywhere, or by pasting it. */
export function useImageInput({ busy, maxBytes, onSeveral }: ImageInputOptions) {
  const area = useDropArea({
    accept: acceptedFiles,
    minSize: 1,
    maxSize: maxBytes,
    multiple: true,
    takesBeside: true,
    onDrop: (accepted, rejections) => {
      if (busy) return void showToast({ ...messages.processor.busy, destructive: true });
      const [file] = accepted;
      if (accepted.length > 1)
        onSeveral([
          ...accepted.map((image) => carry(image)),
          ...rejections.map((rejection) => carry(rejection.file, describeRejection(rejection, { maxBytes }))),
        ]);
      else if (file) void chooseImage(file, rejections);
      else useProcessor.setState({ rejections });
    },
  });
  const { offer } = area;
  const dragging = useWindowDrag(busy, offer);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isTyping(event.target)) return;
      event.preventDefault();
      offer(files.map((file) => namePastedFile(file, new Date())));
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [offer]);
  return { ...area, dragging };
}
