import { useQueryClient } from '@tanstack/react-query';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { useMay } from '../../frame/use-may.ts';
import type { BulkAction } from '../../table/bulk-bar.tsx';
import { runBulk } from '../../table/run-bulk.ts';
import { mediaMessages as text } from '../messages.ts';
import { mediaKeys } from '../queries.ts';

type Files = readonly MediaFile[];
/** Files to delete. `finish`: ends the action, and takes those that stay selected. */
type Deletion = { files: Files; finish: (left: Files) => void };

/** What can be done with the selected files, and the dialog that asks before they are deleted. */
export function useBulkActions({ isDeleted }: { isDeleted: boolean }): {
  actions: readonly BulkAction<MediaFile>[];
  dialog: ReactNode;
} {
  const queryClient = useQueryClient();
  const mayManage = useMay('media.manage');
  const [asked, setAsked] = useState<Deletion>();
  const [isRunning, setRunning] = useState(false);
  const run = async (files: Files, options: Parameters<typeof runBulk<MediaFile>>[1]) => {
    const left = await runBulk(files, options);
    await Promise.all(mediaKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    return left;
  };
  const restore = (files: Files) =>
    run(files, { call: ({ id }) => adminApi.adminRestoreMedia({ params: { id } }), done: text.bulkRestored });
  const ask = (files: Files) =>
    new Promise<Files>((finish) => setAsked({ files, finish })).finally(() => setAsked(undefined));
  const remove = async ({ files, finish }: Deletion) => {
    setRunning(true);
    finish(
      await run(files, { call: ({ id }) => adminApi.adminDeleteMedia({ params: { id } }), done: text.bulkDeleted }),
    );
    setRunning(false);
  };
  const action = isDeleted
    ? { label: text.restore, icon: RotateCcw, run: restore }
    : { label: text.delete, icon: Trash2, run: ask };
  const dialog = asked && (
    <ConfirmDialog
      open
      onOpenChange={() => asked.finish(asked.files)}
      title={text.bulkDialog.title(asked.files.length)}
      text={text.bulkDialog.text}
      confirm={text.bulkDialog.confirm}
      pending={isRunning}
      onConfirm={() => void remove(asked)}
    />
  );
  return { actions: mayManage ? [action] : [], dialog };
}
