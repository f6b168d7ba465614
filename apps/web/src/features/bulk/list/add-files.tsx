import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { FolderOpen, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { acceptedFileTypes, describeRejection } from '../../../lib/images/rejection-reasons.ts';
import { type DropRejection, useDropArea } from '../../../lib/images/use-drop-area.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DropArea } from '../../../ui/controls/drop-area.tsx';
import { bulkMessages as text } from '../messages.ts';
import { addFiles, removeRejectedRows } from '../run/change-list.ts';
import { toExtraFile } from '../state/add-to-list.ts';

export const fileInput = (maxBytes: number) => ({
  accept: acceptedFileTypes,
  minSize: 1,
  maxSize: maxBytes,
  multiple: true,
  onDrop: (accepted: File[], rejections: DropRejection[]) =>
    addFiles({ accepted, refused: rejections.map(toRejectedFile(maxBytes)) }),
});

export function EmptyList({ ownPlan }: { ownPlan: Plan }) {
  const maxBytes = ownPlan.uploadBytes.web;
  return (
    <div className="grid min-h-80 *:min-h-80">
      <DropArea label={text.choose} {...fileInput(maxBytes)}>
        <div className="grid justify-items-center gap-3">
          <p>{text.drop}</p>
          <FolderButton maxBytes={maxBytes} />
          <p>
            {text.accepted}
            <br />
            {text.limits(ownPlan.bulkFiles, maxBytes)}
          </p>
        </div>
      </DropArea>
    </div>
  );
}

const toRejectedFile = (maxBytes: number) => (rejection: DropRejection) => ({
  ...toExtraFile(rejection.file),
  file: undefined,
  reason: describeRejection(rejection, { maxBytes }),
});

/** Folder inputs need this attribute, which React has no type for. */
const folderInputProps = { webkitdirectory: '' };

/** Downloaded ZIP files keep the folder structure. */
function FolderButton({ maxBytes }: { maxBytes: number }) {
  const { inputProps, open } = useDropArea(fileInput(maxBytes));
  return (
    <>
      <input {...inputProps} {...folderInputProps} aria-label={text.folder} />
      <Button look="secondary" onClick={open}>
        <FolderOpen aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.chooseFolder}
      </Button>
    </>
  );
}

type AddFilesBarProps = { maxBytes: number; onOpen: () => void; rejected: number; children: ReactNode };

export function AddFilesBar({ maxBytes, onOpen, rejected, children }: AddFilesBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="secondary" onClick={onOpen}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.add}
      </Button>
      <FolderButton maxBytes={maxBytes} />
      {rejected > 0 && (
        <Button look="ghost" onClick={removeRejectedRows}>
          {text.removeRejected(rejected)}
        </Button>
      )}
      <div className="empty:hidden sm:ml-auto">{children}</div>
    </div>
  );
}
