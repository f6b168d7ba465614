import type { Job } from '@uprez/contracts/schemas/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { X } from 'lucide-react';
import { formatSize } from '../../../lib/format/format.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { removeImage } from './choose-image.ts';

type ImageBarProps = { image: SourceImage; known: Job['originalSize'] | undefined; disabled: boolean };

export function ImageBar({ image, known, disabled }: ImageBarProps) {
  const { source, size = known, frames } = image;
  const facts = [
    ...(size ? [formatSize(size)] : []),
    formatBytes(source.size),
    ...(frames ? [text.frames(frames)] : []),
  ].join(' · ');
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 grow">
        <p className="truncate font-medium text-sm" title={source.name}>
          {source.name}
        </p>
        <p className="text-muted text-xs tabular-nums">{facts}</p>
      </div>
      <IconButton label={text.remove} icon={X} disabled={disabled} onClick={() => void removeImage()} />
    </div>
  );
}
