import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useEffect, useRef, useState } from 'react';
import { formatSize, type Size } from '../../lib/format/format.ts';
import { readImageSize } from '../../lib/images/image-size.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ImageViewer } from '../../ui/viewer/image-viewer.tsx';
import { activityMessages } from './messages.ts';

const text = activityMessages.compare;

type OriginalImage = { url: string; size: Size; fileSize: number };

/**
 * Stores an original that the user chooses from their device. Its object URL is revoked when they choose another one.
 */
function useOriginalImage() {
  const [original, setOriginal] = useState<OriginalImage>();
  const [error, setError] = useState<string>();
  useEffect(() => () => void (original && URL.revokeObjectURL(original.url)), [original]);
  const choose = async (file: File) => {
    const url = URL.createObjectURL(file);
    const size = await readImageSize(url);
    setError(size ? undefined : text.unreadable(file.name));
    if (size) setOriginal({ url, size, fileSize: file.size });
    else URL.revokeObjectURL(url);
  };
  return { original, error, choose };
}

const formatImageFacts = (size: Size & { fileSize: number }) => `${formatSize(size)} · ${formatBytes(size.fileSize)}`;

/** The result next to the original, which the user has to choose because the server has deleted its copy. */
export function ComparisonDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { original, error, choose } = useOriginalImage();
  const input = useRef<HTMLInputElement>(null);
  // Keeps the first URL: `downloadUrl` is renewed regularly, and the displayed image must not reload.
  const [url] = useState(job.downloadUrl);
  const { originalSize, processedSize } = job;
  if (!url || !processedSize) return null;
  const isOther =
    original && (original.size.width !== originalSize.width || original.size.height !== originalSize.height);
  const name = job.scaleFactor > 1 ? messages.processor.upscaled : text.result;
  return (
    <Dialog open wide onOpenChange={onClose} title={text.title(job.filename)} description={!original && text.text}>
      <div className="h-[min(32rem,55svh)] overflow-hidden rounded-control border border-line bg-stage">
        {original ? (
          <ImageViewer
            key={original.url}
            before={{
              url: original.url,
              label: { name: messages.processor.original, facts: formatImageFacts({ ...original.size, ...original }) },
            }}
            after={{ url, label: { name, facts: formatImageFacts(processedSize) } }}
            size={processedSize}
          />
        ) : (
          <div className="grid size-full place-items-center p-3">
            <img src={url} alt={messages.viewer.after} className="checkerboard max-h-full max-w-full" />
          </div>
        )}
      </div>
      {isOther && <Notice kind="warning">{text.other(formatSize(original.size), formatSize(originalSize))}</Notice>}
      {error && <Notice kind="danger">{error}</Notice>}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={text.file}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void choose(file);
          target.value = '';
        }}
      />
      <Button
        look={original ? 'secondary' : 'primary'}
        className="justify-self-start"
        onClick={() => input.current?.click()}
      >
        {original ? text.chooseOther : text.choose}
      </Button>
    </Dialog>
  );
}
