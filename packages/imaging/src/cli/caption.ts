import { formatCount } from '@uprez/contracts/texts/format';

type Image = { width: number; height: number; sizeBytes: number };
export type Caption = { before: Image; after: Image; ms: number; engine: string };

/** Formats a size, such as `1,024 x 768`. */
export const size = ({ width, height }: Pick<Image, 'width' | 'height'>) =>
  `${formatCount(width)} x ${formatCount(height)}`;

/** Formats a file size, such as `1.2 MB`. */
export function bytes({ sizeBytes }: Pick<Image, 'sizeBytes'>): string {
  if (sizeBytes < 1_024) return `${sizeBytes} Bytes`;
  const kilobytes = sizeBytes / 1_024;
  return kilobytes < 1_024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}

/** Describes a result in one line: `1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB · 4.1 s · photo-fast`. */
export const caption = ({ before, after, ms, engine }: Caption): string =>
  `${size(before)} -> ${size(after)} · ${bytes(before)} -> ${bytes(after)} · ${(ms / 1_000).toFixed(1)} s · ${engine}`;
