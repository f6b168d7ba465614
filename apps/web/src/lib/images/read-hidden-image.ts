import type { Size } from '../format/format.ts';

/** Format and size of a file that the browser cannot show. */
export async function readHiddenImage(file: Blob): Promise<{ hiddenFormat?: string; size?: Size }> {
  const { sniffFormat } = await import('@uprez/imaging/sniff/sniff-format');
  const { heicHeaderBytes, readHeicSize } = await import('./read-heic-size.ts');
  const bytes = new Uint8Array(await file.slice(0, heicHeaderBytes).arrayBuffer());
  const known = sniffFormat(bytes);
  if (!known?.readable) return {};
  const size = known.readable === 'heic' ? readHeicSize(bytes) : undefined;
  return { hiddenFormat: known.name, ...(size && { size }) };
}
