import { formatCount } from '@uprez/contracts/texts/format';

type ImageSize = { width: number; height: number; sizeBytes: number };
export type CaptionInput = { before: ImageSize; after: ImageSize; ms: number; engine: string };

export const formatSize = ({ width, height }: Pick<ImageSize, 'width' | 'height'>) =>
  `${formatCount(width)} x ${formatCount(height)}`;

export function formatBytes({ sizeBytes }: Pick<ImageSize, 'sizeBytes'>): string {
  if (sizeBytes < 1_024) return `${sizeBytes} Bytes`;
  const kilobytes = sizeBytes / 1_024;
  return kilobytes < 1_024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}

/** Describes a result in one line: `1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB · 4.1 s · photo-fast`. */
export const formatCaption = ({ before, after, ms, engine }: CaptionInput): string =>
  `${formatSize(before)} -> ${formatSize(after)} · ${formatBytes(before)} -> ${formatBytes(after)} · ${(ms / 1_000).toFixed(1)} s · ${engine}`;
