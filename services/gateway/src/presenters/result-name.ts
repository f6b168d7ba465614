import { fileExtensions, type OutputFormat } from '@uprez/contracts/picture-formats';

/** The name a result is saved under: `<base>-<n>x.<ext>`. */
export function resultName(filename: string, scaleFactor: number, format: OutputFormat): string {
  const base = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  return `${base}-${scaleFactor}x.${fileExtensions[format]}`;
}
