import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { activityMessages as text } from '../../messages/dashboard.ts';

/** The thumbnail of a result, or a placeholder. */
export function ActivityThumbnail({ src }: { src: string | null }) {
  const [failed, setFailed] = useState<string>();
  return (
    <div className="grid h-full min-h-20 place-items-center overflow-hidden bg-stage sm:h-36">
      {src !== null && src !== failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(src)}
          className="size-full max-h-36 object-contain"
        />
      ) : (
        <ImageOff role="img" aria-label={text.noPreview} strokeWidth={1.5} className="size-5 text-muted" />
      )}
    </div>
  );
}
