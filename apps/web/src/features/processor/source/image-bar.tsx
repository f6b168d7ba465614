import type { Job } from '@uprez/contracts/schemas/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { messages } from '../../../messages.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { useProcessor } from '../state/processor-store.ts';
import { chooseImage, removeImage } from './choose-image.ts';

function UrlField({ url, disabled }: { url: string; disabled: boolean }) {
  const error = useProcessor((state) => state.urlError);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);
  const leave = (next: string) => {
    if (next && next !== url) void chooseImage(next);
  };
  return (
    <TextField
      key={url}
      ref={field}
      label={messages.processor.address}
      type="url"
      inputMode="url"
      defaultValue={url}
      disabled={disabled}
      error={error}
      onBlur={(event) => leave(event.target.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}

type ImageBarProps = { image: SourceImage; known: Job['originalSize'] | undefined; disabled: boolean };

export function ImageBar({ image, known, disabled }: ImageBarProps) {
  const { source, size = known, frames } = image;
  const bytes = typeof source === 'string' ? known?.fileSize : source.size;
  const facts = [
    ...(size ? [formatSize(size)] : []),
    ...(bytes ? [formatBytes(bytes)] : []),
    ...(frames ? [text.frames(frames)] : []),
  ].join(' · ');
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 grow">
        {typeof source === 'string' ? (
          <UrlField url={source} disabled={disabled} />
        ) : (
          <p className="truncate font-medium text-sm" title={source.name}>
            {source.name}
          </p>
        )}
        {facts && <p className="text-muted text-xs tabular-nums">{facts}</p>}
      </div>
      <IconButton label={text.remove} icon={X} disabled={disabled} onClick={() => void removeImage()} />
    </div>
  );
}
