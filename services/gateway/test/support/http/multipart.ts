export type Part = { name: string; filename?: string; type?: string; data: string | Buffer };

/** Returns the header of a part, with its empty line. */
export function partHeader({ name, filename, type }: Omit<Part, 'data'>, boundary: string): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const kind = type ? `\r\nContent-Type: ${type}` : '';
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${kind}\r\n\r\n`;
}

/** Returns a multipart body as bytes, for forms that browsers cannot send. */
export function makeMultipart(parts: readonly Part[], options: { boundary?: string; end?: string } = {}) {
  const { boundary = 'b0' } = options;
  const { end = `--${boundary}--\r\n` } = options;
  const body = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(partHeader(part, boundary)), Buffer.from(part.data), Buffer.from('\r\n')]),
    Buffer.from(end),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
