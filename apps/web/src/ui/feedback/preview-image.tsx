import { type ReactNode, useState } from 'react';

type PreviewImageProps = { src: string | null | undefined; className: string; fallback: ReactNode };

/** Shows an image without alt text, or `fallback` if there is no image or it can't be loaded. */
export function PreviewImage({ src, className, fallback }: PreviewImageProps) {
  const [failed, setFailed] = useState<string>();
  if (!src || src === failed) return fallback;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={() => setFailed(src)} className={className} />;
}
