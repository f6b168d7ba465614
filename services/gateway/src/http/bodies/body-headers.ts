import type { IncomingMessage } from 'node:http';

type Headers = Pick<IncomingMessage, 'headers'>;

/** Whether a request has a body. */
export const hasBody = ({ headers }: Headers): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const urlEncoded = 'application/x-www-form-urlencoded';

/** Whether the body is a form of a page without JavaScript. */
export const isUrlEncoded = ({ headers }: Headers): boolean =>
  headers['content-type']?.toLowerCase().startsWith(urlEncoded) ?? false;

/** Whether the body is a form. Media types are case-insensitive (RFC 9110, 8.3.1). */
export const isForm = ({ headers }: Headers): boolean => /^multipart\//i.test(headers['content-type'] ?? '');
