import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';

type Parts = ReturnType<FastifyRequest['parts']>;
export type Part = Awaited<ReturnType<Parts['next']>>['value'];
type Options = { limits: NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']; signal: AbortSignal };

const parserErrors = new WeakSet<object>();

/**
 * Whether an error says that a form cannot be parsed: raised by `@fastify/multipart` or busboy while `readParts` reads a
 * form. Other errors, such as those of storage and database, are never the client's.
 */
const isParserError = (error: unknown): boolean => error instanceof Error && parserErrors.has(error);

/** The error of a form that cannot be parsed, or the same error when it isn't the form's. */
export function toFormError(error: unknown): unknown {
  if (error instanceof AppError || !isParserError(error)) return error;
  const isLimit = /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(String((error as { code?: unknown }).code));
  return new AppError('malformed_multipart', { limitName: isLimit ? 'form_parts' : undefined, cause: error });
}

/** The parts of a form as they arrive, until the signal aborts. Throws its reason, and the parser's errors. */
export async function* readParts(request: FastifyRequest, { limits, signal }: Options): AsyncGenerator<Part> {
  try {
    for await (const part of untilAborted(request.parts({ limits }), signal)) {
      if (part.type === 'file') {
        const { file } = part;
        // The stream may report one error and be destroyed with another.
        file.on('error', rememberParserError).once('close', () => rememberParserError(file.errored));
        rememberParserError(file.errored);
      }
      yield part;
    }
  } catch (error) {
    rememberParserError(error);
    throw error;
  }
}

/** Yields the items of `source`. Throws the signal's reason when it aborts, even while an item is awaited. */
async function* untilAborted<T>(source: AsyncIterator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const item = await Promise.race([source.next(), aborted]);
      if (item.done) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** busboy throws plain errors, the plugin FST_ errors with a status code; anything else is a defect. */
function rememberParserError(error: unknown): void {
  if (!(error instanceof Error)) return;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  const isPlugins = code?.startsWith('FST_') && statusCode < 500;
  const isBusboys = code === undefined && error.constructor === Error;
  if (isPlugins || isBusboys) parserErrors.add(error);
}
