import { X } from 'lucide-react';
import { formatBytes, formatSize } from '../../lib/format.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { removePicture } from './choose-picture.ts';
import type { Picture } from './picture.ts';

const text = messages.processor;

/** Name, size and bytes of the chosen file, and the way to take it away. */
export function PictureBar({ picture, disabled }: { picture: Picture; disabled: boolean }) {
  const { file, size } = picture;
  const facts = [...(size ? [formatSize(size)] : []), formatBytes(file.size)];
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 grow">
        <p className="truncate font-medium text-sm" title={file.name}>
          {file.name}
        </p>
        <p className="text-muted text-xs tabular-nums">{facts.join(' · ')}</p>
      </div>
      <Button
        look="ghost"
        size="icon"
        aria-label={text.remove}
        disabled={disabled}
        onClick={() => void removePicture()}
      >
        <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </Button>
    </div>
  );
}
