import { limits } from '@uprez/contracts/policy/limits';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { ArrowLeft, Upload } from 'lucide-react';
import { useState } from 'react';
import { useDebounced } from '../../../../lib/browser/use-debounced.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { useMay } from '../../frame/use-may.ts';
import { pickerMessages as text } from '../messages.ts';
import { UploadForm } from '../upload/upload-form.tsx';
import { ImageChoices } from './image-choices.tsx';

/** Time without a key before the library is searched. */
const quietMs = 300;

type PickProps = { onPick: (image: MediaFile) => void };

function Library({ onPick }: PickProps) {
  const [search, setSearch] = useState('');
  const [isUploading, setUploading] = useState(false);
  const rested = useDebounced(search.trim(), quietMs);
  const mayUpload = useMay('media.manage');
  const finish = ([first, second]: readonly MediaFile[]) => {
    if (first && !second) onPick(first);
    else setUploading(false);
  };
  if (isUploading)
    return (
      <>
        <Button look="ghost" className="justify-self-start px-2" onClick={() => setUploading(false)}>
          <ArrowLeft aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.library}
        </Button>
        <UploadForm kind="image" onStored={finish} />
      </>
    );
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <div className="min-w-48 flex-1">
          <TextField
            type="search"
            label={text.search}
            labelHidden
            placeholder={text.search}
            maxLength={limits.searchLength}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {mayUpload && (
          <Button look="secondary" onClick={() => setUploading(true)}>
            <Upload aria-hidden="true" strokeWidth={1.75} className="size-4" />
            {text.upload}
          </Button>
        )}
      </div>
      <ImageChoices search={rested} onPick={onPick} />
    </>
  );
}

/** Chooses an image of the library, or uploads one. */
export const MediaPicker = ({ onPick, onClose }: PickProps & { onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title={text.title} wide>
    <Library onPick={onPick} />
  </Dialog>
);
