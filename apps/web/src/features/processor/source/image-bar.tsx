import type { Job } from '@uprez/contracts/schemas/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { formatSize } from '../../../lib/format/format.ts';
import { ImageName } from '../../../ui/viewer/image-name.tsx';
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
  ];
  return (
    <ImageName
      {...{ name: source.name, facts, disabled }}
      removeLabel={text.remove}
      onRemove={() => void removeImage()}
    />
  );
}
