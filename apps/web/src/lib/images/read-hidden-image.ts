import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Size } from '../format/format.ts';

/** Every browser opens intact files of these formats. */
const openFormats: readonly (InputFormat | undefined)[] = ['jpeg', 'png', 'gif', 'webp', 'bmp'];

type HiddenImage = {
  /** Name of a format that the browser doesn't show. */
  hiddenFormat?: string;
  /** Name of a format that the browser shows, of a file that it couldn't open. */
  damagedFormat?: string;
  size?: Size;
};

/** Format and size of a file that the browser couldn't open. */
export async function readHiddenImage(file: Blob): Promise<HiddenImage> {
  const { sniffFormat } = await import('@uprez/imaging/sniff/sniff-format');
  const { heicHeaderBytes, readHeicSize } = await import('./read-heic-size.ts');
  const bytes = new Uint8Array(await file.slice(0, heicHeaderBytes).arrayBuffer());
  const known = sniffFormat(bytes);
  if (!known?.readable) return {};
  if (openFormats.includes(known.readable)) return { damagedFormat: known.name };
  const size = known.readable === 'heic' ? readHeicSize(bytes) : undefined;
  return { hiddenFormat: known.name, ...(size && { size }) };
}
