import { AppError } from '@uprez/contracts/errors/app-error';

export const invalidCursor = (cause?: unknown): AppError =>
  new AppError('invalid_parameter', { param: 'cursor', ...(cause !== undefined && { cause }) });

/** A position in a list as an opaque text. It names the list, because it means nothing in another one. */
export const formatCursor = (list: string, position: readonly (string | number)[]): string =>
  Buffer.from([list, ...position].join(' ')).toString('base64url');

/** The position in a cursor. Throws `invalid_parameter` for a text that isn't a cursor of this list. */
export function parseCursor(list: string, cursor: string): string[] {
  const [name, ...position] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (name !== list) throw invalidCursor();
  return position;
}
