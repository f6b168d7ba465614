import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Size } from '../format/format.ts';

/** Formats that every browser opens, unless the file is damaged. */
const universalFormats: readonly (InputFormat | undefined)[] = ['jpeg', 'png', 'gif', 'webp', 'bmp'];

type HiddenImage = {
  /** Name of the format if the browser doesn't display it. */
  hiddenFormat?: string;
  /** Name of the format if the browser displays it but couldn't open the file. */
  damagedFormat?: string;
  size?: Size;
};

/** Returns the format and size of a file that the browser couldn't open. */
export async function readHiddenImage(file: Blob): Promise<HiddenImage> {
  const { sniffFormat } = await import('@uprez/imaging/sniff/sniff-format');
  const { heicHeaderBytes, readHeicSize } = await import('./read-heic-size.ts');
  const bytes = new Uint8Array(await file.slice(0, heicHeaderBytes).arrayBuffer());
  const known = sniffFormat(bytes);
  if (!known?.readable) return {};
  if (universalFormats.includes(known.readable)) return { damagedFormat: known.name };
  const size = known.readable === 'heic' ? readHeicSize(bytes) : undefined;
  return { hiddenFormat: known.name, ...(size && { size }) };
}
