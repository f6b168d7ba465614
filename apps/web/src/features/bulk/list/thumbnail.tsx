import { ImageIcon } from 'lucide-react';
import PQueue from 'p-queue';
import { useEffect, useRef, useState } from 'react';
import type { Size } from '../../../lib/format/format.ts';
import { readImageSize } from '../../../lib/images/image-size.ts';
import { PreviewImage } from '../../../ui/feedback/preview-image.tsx';
import { changeRow } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';

/** Size and thumbnail of a file. Empty if the browser cannot decode it. */
type FilePreview = { size?: Size | undefined; bitmap?: ImageBitmap | undefined };

/**
 * Length of the shorter side, in device pixels. The thumbnail is cropped to a square, so the shorter side must fill it.
 */
const thumbnailPx = 96;

const previews = new Map<File, FilePreview>();
/** Decodes one image at a time, because decoding a hundred photos at once would exhaust the memory. */
const decodeQueue = new PQueue({ concurrency: 1 });

async function readPreview(file: File): Promise<FilePreview> {
  const url = URL.createObjectURL(file);
  const size = await readImageSize(url).finally(() => URL.revokeObjectURL(url));
  if (!size) return {};
  const side = size.width >= size.height ? 'resizeHeight' : 'resizeWidth';
  const options = { [side]: Math.min(thumbnailPx, size.width, size.height), resizeQuality: 'medium' as const };
  // `createImageBitmap` decodes the image off the main thread.
  const bitmap = await createImageBitmap(file, options).catch(() => undefined);
  return { size, bitmap };
}

/** Returns undefined if `isWanted` returns false by the time the file can be decoded. */
async function loadPreview(file: File, isWanted: () => boolean): Promise<FilePreview | undefined> {
  const preview =
    previews.get(file) ?? (await decodeQueue.add(async () => (isWanted() ? readPreview(file) : undefined)));
  if (preview) previews.set(file, preview);
  return preview;
}

export function releasePreviews(kept: ReadonlySet<File>): void {
  for (const [file, { bitmap }] of previews) {
    if (kept.has(file)) continue;
    previews.delete(file);
    bitmap?.close();
  }
}

/** Loads a row's thumbnail while the row is visible, and stores the image size in the row. */
function useFilePreview({ id, status, file: own }: Row): FilePreview | undefined {
  const file = status === 'rejected' ? undefined : own;
  const [look, setLook] = useState<FilePreview>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    void loadPreview(file, () => isWanted).then((found) => {
      if (!isWanted || !found) return;
      setLook(found);
      const { size } = found;
      if (size) changeRow(id, (row) => (row.imageSize ? row : { ...row, imageSize: size }));
    });
    return () => {
      isWanted = false;
    };
  }, [id, file]);
  return look;
}

function Canvas({ bitmap }: { bitmap: ImageBitmap }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    const side = Math.min(bitmap.width, bitmap.height);
    if (!canvas || side === 0) return;
    canvas.width = side;
    canvas.height = side;
    const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
    canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, side, side);
  }, [bitmap]);
  return <canvas ref={ref} className="size-full" />;
}

export function Thumbnail({ row }: { row: Row }) {
  const bitmap = useFilePreview(row)?.bitmap;
  return (
    <div
      aria-hidden="true"
      className="checkerboard grid size-10 shrink-0 place-content-center overflow-hidden text-muted"
    >
      {bitmap ? (
        <Canvas bitmap={bitmap} />
      ) : (
        <PreviewImage
          src={row.thumbnailUrl}
          className="size-10 object-cover"
          fallback={<ImageIcon strokeWidth={1.5} className="size-5" />}
        />
      )}
    </div>
  );
}
