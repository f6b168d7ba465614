import { ApiError } from '@uprez/client/api-error';
import { type MediaFile, type MediaUse, mediaInUseSchema } from '@uprez/contracts/schemas/content/media';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { mediaMessages } from './messages.ts';
import { PlacesList } from './places-list.tsx';
import { useMediaUses } from './queries.ts';
import { useDeleteFile } from './use-media-mutations.ts';

const { deleteDialog: text, inUse } = mediaMessages;
type DeleteFileDialogProps = { file: MediaFile; onClose: () => void; onDeleted?: () => void };

/** Where a file is used that therefore can't be deleted; undefined for other errors. */
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

/** Asks before a file is deleted, or names the articles that use it. */
export function DeleteFileDialog({ file, onClose, onDeleted }: DeleteFileDialogProps) {
  const remove = useDeleteFile(() => {
    onClose();
    onDeleted?.();
  });
  const places = findPlaces(remove.error);
  if (places || file.uses > 0)
    return (
      <Dialog open onOpenChange={onClose} title={inUse.title} description={inUse.text(file.originalName)}>
        {places ? <PlacesList places={places} /> : <CurrentPlaces id={file.id} />}
        <Button look="secondary" className="justify-self-end" onClick={onClose}>
          {inUse.close}
        </Button>
      </Dialog>
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.title}
      text={text.text(file.originalName)}
      confirm={text.confirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(file.id)}
    />
  );
}
