export const formatCount = (count: number): string => count.toLocaleString('en-US');
export const formatCredits = (count: number): string => `${formatCount(count)} ${count === 1 ? 'credit' : 'credits'}`;
export const formatSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatCount(width)} x ${formatCount(height)} px`;
export const formatSeconds = (seconds: number): string => `${Math.max(1, Math.round(seconds))} s`;

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
