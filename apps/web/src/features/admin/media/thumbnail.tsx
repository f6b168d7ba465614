import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import clsx from 'clsx';
import { FileText, ImageOff } from 'lucide-react';
import { PreviewImage } from '../../../ui/feedback/preview-image.tsx';

type ThumbnailProps = { file: Pick<MediaFile, 'kind' | 'thumbnailUrl'>; className?: string };

/** The alt text is empty because the file name is beside it. */
export function Thumbnail({ file: { kind, thumbnailUrl }, className }: ThumbnailProps) {
  const Icon = kind === 'document' ? FileText : ImageOff;
  return (
    <span className={clsx('grid place-items-center overflow-hidden bg-sunken text-muted', className)}>
      <PreviewImage
        src={thumbnailUrl}
        className="size-full object-contain"
        fallback={<Icon aria-hidden="true" strokeWidth={1.5} className="size-1/3 max-h-8 min-h-4" />}
      />
    </span>
  );
}
