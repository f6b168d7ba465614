import { cleanFilename, decodeName } from '@uprez/domain/intake/clean-filename';
import { parse } from 'content-disposition';

/** What a fetched file is called: what its server says (RFC 6266), else the end of its address. */
export function nameOfFile({ url, disposition }: { url: string; disposition: string | undefined }): string {
  return cleanFilename(readDisposition(disposition) ?? readPath(url));
}

function readDisposition(header: string | undefined): string | undefined {
  if (!header) return undefined;
  try {
    return String(parse(header).parameters.filename ?? '') || undefined;
  } catch {
    return undefined;
  }
}

const readPath = (url: string): string => decodeName(new URL(url).pathname.split('/').at(-1) ?? '');
