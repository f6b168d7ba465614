import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../../ui/controls/button.tsx';
import { DeleteFileDialog } from '../delete-file-dialog.tsx';
import { mediaMessages as text } from '../messages.ts';
import { useRestoreFile } from '../use-media-mutations.ts';
import { ReplaceButton } from './replace-button.tsx';

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
