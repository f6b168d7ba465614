import { ApiError } from '@uprez/client/api-error';
import { type MediaFile, type MediaUse, mediaInUseSchema } from '@uprez/contracts/schemas/content/media';
import { useState } from 'react';
import { errorMessage, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { mediaMessages } from './messages.ts';
import { PlacesList } from './places-list.tsx';
import { mediaKeys, useMediaUses } from './queries.ts';
import { useRestoreFile } from './use-media-mutations.ts';

const { deleteDialog: text, inUse } = mediaMessages;
type DeleteFileDialogProps = { file: MediaFile; onClose: () => void; onDeleted?: () => void };

/** Returns where a file is used if that prevented its deletion, or undefined for other errors. */
function findPlaces(error: unknown): MediaUse[] | undefined {
  if (!(error instanceof ApiError) || !hasErrorCode(error, 'media_in_use')) return undefined;
  return mediaInUseSchema.safeParse(error.meta).data?.places;
}

function CurrentPlaces({ id }: { id: string }) {
  const query = useMediaUses(id);
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-12" />}>
      {(places) => <PlacesList places={places} />}
    </QueryView>
  );
}

/** Long enough to notice a mistake. */
const undoMs = 15_000;

/**
 * Confirms the deletion of a file and offers to undo it. Lists the articles that use the file if it can't be deleted.
 */
export function DeleteFileDialog({ file, onClose, onDeleted }: DeleteFileDialogProps) {
  const [places, setPlaces] = useState<MediaUse[]>();
  const restore = useRestoreFile();
  if (places || file.uses > 0)
    return (
      <Dialog open onOpenChange={onClose} title={inUse.title} description={inUse.text(file.originalName)}>
        {places ? <PlacesList places={places} /> : <CurrentPlaces id={file.id} />}
        <Button look="secondary" className="justify-self-end" onClick={onClose}>
          {inUse.close}
        </Button>
      </Dialog>
    );
  const showFailure = (error: Error) => {
    setPlaces(findPlaces(error));
    if (hasErrorCode(error, 'media_in_use') || hasErrorCode(error, 'not_signed_in')) return;
    const description = `${mediaMessages.deleteFailed}. ${errorMessage(error)}`;
    showToast({ title: mediaMessages.failure, description, destructive: true });
  };
  return (
    <ConfirmCallDialog
      text={{ ...text, text: text.text(file.originalName) }}
      call={() => adminApi.adminDeleteMedia({ params: { id: file.id } })}
      refreshes={mediaKeys}
      failed={showFailure}
      done={{
        ...{ title: mediaMessages.success, description: mediaMessages.deleted, durationMs: undoMs },
        action: { label: mediaMessages.undo, run: () => restore.mutate(file.id) },
      }}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDeleted?.();
      }}
    />
  );
}
