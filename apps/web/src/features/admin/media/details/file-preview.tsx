import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { ExternalLink } from 'lucide-react';
import { buttonStyle } from '../../../../ui/controls/button.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { fileMessages as text } from '../messages.ts';
import { Thumbnail } from '../thumbnail.tsx';

/** The image, or an icon for a document, and a link to the original. */
export const FilePreview = ({ file }: { file: MediaFile }) => {
  const { kind, url, alt, width, height, deletedAt } = file;
  const isShown = kind === 'image' && !deletedAt;
  return (
    <Card
      title={text.preview}
      actions={
        !deletedAt && (
          <a href={url} target="_blank" rel="noopener" className={buttonStyle({ look: 'secondary', size: 'small' })}>
            <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
            {text.openOriginal}
          </a>
        )
      }
    >
      {isShown ? (
        <img
          key={url}
          src={url}
          alt={alt}
          {...(width && height && { width, height })}
          className="h-auto max-h-[70dvh] w-auto max-w-full justify-self-center bg-sunken object-contain"
        />
      ) : (
        <Thumbnail file={file} className="aspect-4/3 max-h-60" />
      )}
      {kind === 'document' && <p className="text-muted text-sm">{text.noPreview}</p>}
    </Card>
  );
};
