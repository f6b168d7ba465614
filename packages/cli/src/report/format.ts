/** `1,024 x 768`. */
export const formatSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatCount(width)} x ${formatCount(height)}`;

export const formatCount = (n: number): string => n.toLocaleString('en-US');

/** `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} Bytes`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}

/** `1 credit`, `2 credits`. */
export const formatCredits = (credits: number): string => `${formatCount(credits)} credit${credits === 1 ? '' : 's'}`;

/** `12 s`, `3 min`. */
export const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${formatCount(Math.ceil(seconds / 60))} min`;
