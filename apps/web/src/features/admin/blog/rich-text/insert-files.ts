import type { EditorView } from '@tiptap/pm/view';
import { mediaPath } from '@uprez/contracts/texts/media';
import { errorMessage, ShownError } from '../../../../lib/api/api-errors.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { imageTextMessages as text } from './messages.ts';
import { holdPlace } from './pending-images.ts';

type Source = Pick<DataTransfer, 'files' | 'getData'> | null;

/** Uploads an image to the library, and inserts it where it was dropped or pasted. */
async function insertFile(view: EditorView, file: File, at: number): Promise<void> {
  const fill = holdPlace(view, at, file.name);
  try {
    const [{ sendFile }, { findReason }] = await Promise.all([
      import('../../media/upload/send-file.ts'),
      import('../../media/upload/upload-rows.ts'),
    ]);
    const reason = findReason(file, 'image');
    if (reason) throw new ShownError(reason);
    const { id, alt } = await sendFile(file, { signal: new AbortController().signal, onPercent: () => undefined });
    if (!fill({ src: mediaPath(id), alt })) showToast({ title: text.onlyStored(file.name) });
  } catch (error) {
    fill();
    showToast({ title: text.failed(file.name), description: errorMessage(error), destructive: true });
  }
}

/** Inserts the files of a drop or a paste. Returns false if there are none: then the editor reads the text. */
export function insertFiles(view: EditorView, source: Source, at: number): boolean {
  const files = [...(source?.files ?? [])];
  // Office programs add an image of the text that they copy.
  if (!view.editable || files.length === 0 || source?.getData('text/html')) return false;
  for (const file of files) void insertFile(view, file, at);
  return true;
}
