import { ApiError } from '@uprez/client/api-error';
import { type MediaFile, type MediaUse, mediaInUseSchema } from '@uprez/contracts/schemas/content/media';
import { formatList } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { Link } from 'react-router';
import { describeError, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { postPath } from '../frame/admin-paths.ts';
import { fileMessages as fileText, mediaMessages } from './messages.ts';
import { mediaKeys, useMediaUses, useRestoreFile } from './queries.ts';

const { deleteDialog: text, inUse } = mediaMessages;
type DeleteFileDialogProps = { file: MediaFile; onClose: () => void; onDeleted?: () => void };

/** Returns the places that use a file if they prevented its deletion. Returns undefined for other errors. */
function findMediaUses(error: unknown): MediaUse[] | undefined {
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
    setPlaces(findMediaUses(error));
    if (hasErrorCode(error, 'media_in_use') || hasErrorCode(error, 'not_signed_in')) return;
    const description = `${mediaMessages.deleteFailed}. ${describeError(error)}`;
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

export const PlacesList = ({ places }: { places: readonly MediaUse[] }) => (
  <ul className="grid gap-2 text-sm">
    {places.map((place) => (
      <li key={place.articleId} className="grid wrap-anywhere">
        <PlaceName place={place} />
        <span className="text-muted text-xs">{formatList(place.fields.map((field) => fileText.fields[field]))}</span>
      </li>
    ))}
  </ul>
);

function PlaceName({ place: { articleId, kind, title, deleted } }: { place: MediaUse }) {
  const name = title || fileText.untitled;
  if (deleted) return <span>{`${name} (${fileText.deletedPlace})`}</span>;
  if (kind !== 'post') return <span>{name}</span>;
  return (
    <Link to={postPath(articleId)} className="font-medium underline decoration-edge underline-offset-4">
      {name}
    </Link>
  );
}
