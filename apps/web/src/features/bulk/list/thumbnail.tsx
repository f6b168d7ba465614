import { ImageIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

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

/** Thumbnail of a row: from its file, else from the server, else a placeholder. */
export function Thumbnail({ bitmap, url }: { bitmap: ImageBitmap | undefined; url: string | undefined }) {
  const [broken, setBroken] = useState<string>();
  return (
    <div
      aria-hidden="true"
      className="checkerboard grid size-10 shrink-0 place-content-center overflow-hidden text-muted"
    >
      {bitmap ? (
        <Canvas bitmap={bitmap} />
      ) : url && broken !== url ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(url)}
          className="size-10 object-cover"
        />
      ) : (
        <ImageIcon strokeWidth={1.5} className="size-5" />
      )}
    </div>
  );
}
