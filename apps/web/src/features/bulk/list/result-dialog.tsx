import { formatBytes } from '@uprez/contracts/texts/format';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatSize, type Size } from '../../../lib/format/format.ts';
import { messages } from '../../../messages.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ImageViewer } from '../../../ui/viewer/image-viewer.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Row } from '../state/row.ts';

function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

const formatImageFacts = (size: Size, bytes: number) => `${formatSize(size)} · ${formatBytes(bytes)}`;

export type FinishedRow = Row & { result: NonNullable<Row['result']>; downloadUrl: string };

/** Shows a result next to its original. Shows the result alone if this browser no longer has the original. */
export function ResultDialog({ row, onClose }: { row: FinishedRow; onClose: () => void }) {
  const { name, file, size, imageSize, result } = row;
  // Keeps the first URL: `downloadUrl` is renewed regularly, and the displayed image must not reload.
  const [url] = useState(row.downloadUrl);
  const original = useObjectUrl(imageSize && file);
  const facts = formatImageFacts(result, result.fileSize);
  return (
    <Dialog open onOpenChange={onClose} title={name} description={facts} wide>
      <div className="h-[min(34rem,60dvh)] overflow-hidden rounded-control border border-line bg-stage">
        {original && imageSize ? (
          <ImageViewer
            before={{
              url: original,
              label: { name: messages.processor.original, facts: formatImageFacts(imageSize, size) },
            }}
            after={{ url, label: { name: text.result, facts } }}
            size={result}
          />
        ) : (
          <div className="grid size-full place-items-center p-3">
            <img
              src={url}
              alt={text.resultOf(name)}
              className="checkerboard max-h-[calc(min(34rem,60dvh)-1.5rem)] max-w-full"
            />
          </div>
        )}
      </div>
      <a href={row.downloadUrl} download className={buttonStyle({ className: 'justify-self-start' })}>
        <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.downloadResult}
      </a>
    </Dialog>
  );
}
