import { inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { useEffect, useState } from 'react';
import { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { isTyping } from '../../../lib/shortcuts/is-typing.ts';
import { useProcessor } from '../state/processor-store.ts';
import { chooseImage } from './choose-image.ts';
import { namePastedFile } from './pasted-file.ts';

const accept = Object.fromEntries(inputFormats.map((format) => [mimeTypes[format], []]));

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Whether files are being dragged over the window. A drop outside of the overlay calls `onDrop`. */
function useWindowDrag(disabled: boolean, onDrop: (files: FileList) => void): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => carriesFiles(event) && listener(event), { signal: stop.signal });
    on('dragenter', () => setDragging(!disabled));
    on('dragover', (event) => event.preventDefault());
    // Only leaving the window has no related target.
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setDragging(false));
    on('drop', (event) => {
      setDragging(false);
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer && !disabled) onDrop(event.dataTransfer.files);
    });
    return () => stop.abort();
  }, [disabled, onDrop]);
  return dragging;
}

/** Chooses an image by the file picker, by dropping it anywhere, or by pasting it. */
export function useImageInput(disabled: boolean) {
  const area = useDropArea({
    accept,
    minSize: 1,
    maxSize: limits.uploadBytes,
    multiple: false,
    takesBeside: true,
    disabled,
    onDrop: ([file], rejections) => {
      if (file) void chooseImage(file);
      else useProcessor.setState({ rejections });
    },
  });
  const { offer } = area;
  const dragging = useWindowDrag(disabled, offer);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (disabled || files.length === 0 || isTyping(event.target)) return;
      event.preventDefault();
      offer(files.map((file) => namePastedFile(file, new Date())));
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [disabled, offer]);
  return { ...area, dragging };
}
