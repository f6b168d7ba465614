import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Replace, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage, ShownError } from '../../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { DeleteFileDialog } from '../delete-file-dialog.tsx';
import { fileMessages as fileText, mediaMessages as text, uploadMessages } from '../messages.ts';
import { mediaKeys } from '../queries.ts';
import { sendReplacement } from '../upload/send-file.ts';
import { acceptedTypes, findReason } from '../upload/upload-rows.ts';
import { useRestoreFile } from '../use-media-mutations.ts';

/** Replaces, deletes, or restores a file. */
export function FilePageActions({ file }: { file: MediaFile }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const restore = useRestoreFile();
  if (file.deletedAt)
    return (
      <Button look="secondary" pending={restore.isPending} onClick={() => restore.mutate(file.id)}>
        <RotateCcw aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.restore}
      </Button>
    );
  return (
    <>
      <ReplaceButton file={file} />
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.delete}
      </Button>
      {isAsking && (
        <DeleteFileDialog
          file={file}
          onClose={() => setAsking(false)}
          onDeleted={() => void navigate(adminPages.media)}
        />
      )}
    </>
  );
}

/** Replaces the content of a file. Its URL stays. */
function ReplaceButton({ file: { id, kind } }: { file: MediaFile }) {
  const input = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState(0);
  const replace = useResourceMutation({
    call: (chosen: File) => {
      const reason = findReason(chosen, kind === 'image' ? 'image' : 'all');
      if (reason) throw new ShownError(reason);
      return sendReplacement(id, chosen, { signal: new AbortController().signal, onPercent: setPercent });
    },
    invalidates: mediaKeys,
    onError: (error) =>
      showToast({
        title: text.failure,
        description: `${uploadMessages.failed}. ${errorMessage(error)}`,
        destructive: true,
      }),
    onSuccess: () => showToast({ title: text.success, description: fileText.replaced }),
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={kind === 'image' ? acceptedTypes.image : acceptedTypes.all}
        aria-label={fileText.replace}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = '';
          if (chosen) replace.mutate(chosen);
        }}
      />
      <Button
        look="secondary"
        title={fileText.replaceHint}
        pending={replace.isPending}
        pendingText={percent > 0 && percent < 100 ? uploadMessages.percent(percent) : uploadMessages.pending}
        onClick={() => input.current?.click()}
      >
        <Replace aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {fileText.replace}
      </Button>
    </>
  );
}
