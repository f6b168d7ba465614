import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { FolderOpen, Plus } from 'lucide-react';
import { useDropArea } from '../../../lib/images/use-drop-area.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DropArea } from '../../../ui/controls/drop-area.tsx';
import { bulkMessages as text } from '../messages.ts';
import { removeRejected } from '../run/change-list.ts';
import { fileInput } from './file-input.ts';

/** React has no type for this attribute of folder inputs. */
const takesFolders = { webkitdirectory: '' };

/** Chooses a folder. The ZIP will have the same structure. */
function FolderButton() {
  const { inputProps, open } = useDropArea(fileInput);
  return (
    <>
      <input {...inputProps} {...takesFolders} aria-label={text.folder} />
      <Button look="secondary" onClick={open}>
        <FolderOpen aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.chooseFolder}
      </Button>
    </>
  );
}

/** The empty state: an area to drop or choose files. */
export function EmptyList({ tier }: { tier: Tier }) {
  return (
    <div className="grid min-h-80 *:min-h-80">
      <DropArea label={text.choose} {...fileInput}>
        <div className="grid justify-items-center gap-3">
          <p>{text.drop}</p>
          <FolderButton />
          <p>
            {text.accepted}
            <br />
            {text.limits(plans[tier].bulkFiles)}
          </p>
        </div>
      </DropArea>
    </div>
  );
}

export function AddFilesBar({ onOpen, rejected }: { onOpen: () => void; rejected: number }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="secondary" onClick={onOpen}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.add}
      </Button>
      <FolderButton />
      {rejected > 0 && (
        <Button look="ghost" className="sm:ml-auto" onClick={removeRejected}>
          {text.removeRejected(rejected)}
        </Button>
      )}
    </div>
  );
}
