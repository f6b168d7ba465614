import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { DropArea } from '../../../../ui/controls/drop-area.tsx';
import { mediaMessages, uploadMessages as text } from '../messages.ts';
import { UploadList } from './upload-list.tsx';
import type { UploadKind } from './upload-rows.ts';
import { type UploadResult, useUpload } from './use-upload.ts';

type UploadFormProps = {
  kind?: UploadKind;
  /** Files that were dropped before. */
  files?: readonly File[] | undefined;
  /** Called when all files were stored. Otherwise, the form shows why some weren't. */
  onStored: (stored: readonly MediaFile[]) => void;
};

function showResult({ stored, failed }: UploadResult): void {
  if (failed === 0) showToast({ title: mediaMessages.success, description: text.done });
  else
    showToast({
      title: mediaMessages.failure,
      description: `${text.failed}. ${text.someFailed(failed, failed + stored.length)}`,
      destructive: true,
    });
}

/** Chooses files, uploads them, and shows the result of each. */
export function UploadForm({ kind = 'all', files, onStored }: UploadFormProps) {
  const upload = useUpload({
    kind,
    ...(files && { files }),
    onEnd: (result) => {
      showResult(result);
      if (result.failed === 0) onStored(result.stored);
    },
  });
  const { rows, isUploading, isReady } = upload;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <DropArea
        label={text.choose}
        disabled={isUploading}
        onDrop={(accepted, rejections) => upload.add([...accepted, ...rejections.map(({ file }) => file)])}
      >
        {text.limits[kind]}
      </DropArea>
      {rows.length > 0 && <UploadList rows={rows} isUploading={isUploading} onRemove={upload.remove} />}
      <div className="flex flex-wrap justify-end gap-2">
        {rows.length > 0 && !isUploading && (
          <Button look="secondary" onClick={upload.clear}>
            {text.clear}
          </Button>
        )}
        <Button
          pending={isUploading}
          pendingText={text.pending}
          aria-disabled={isUploading || !isReady || undefined}
          onClick={() => isReady && upload.start()}
        >
          {text.submit}
        </Button>
      </div>
    </div>
  );
}
