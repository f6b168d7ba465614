import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { mediaLimits } from '@uprez/contracts/policy/media';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { ReceivedMedia } from '@uprez/domain/media/check-file';
import { readChunks } from '@uprez/storage/read-chunks';
import type { FastifyRequest } from 'fastify';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { readParts, toFormError } from '../uploads/read-parts.ts';
import { capBody } from '../uploads/receive-files.ts';
import { formBytes, hasBoundary } from '../uploads/receive-upload.ts';

/** `field`: the form field of the files, of which there may be `most`. `refuse`: gets the names of others, which aren't read. */
type Form = { field: string; most: number; refuse?: (name: string) => void };
type Take = (file: ReceivedMedia, signal: AbortSignal) => Promise<void>;

/**
 * Reads a form, and passes each file to `take` before the next one is read. Throws `malformed_multipart`, `no_file`,
 * `file_too_large` for the whole form, `invalid_parameter` for other fields and repeated ones, and the errors of `take`.
 */
export async function receiveMedia(request: FastifyRequest, { field, most, refuse }: Form, take: Take): Promise<void> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  const maxBytes = most * mediaLimits.fileBytes + formBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(mediaLimits.fileBytes);
  const watch = watchUpload(request.raw);
  const stopCap = capBody(request, watch, maxBytes);
  let received = 0;
  try {
    // More of each than may be, so that they are refused by name.
    const limits = { fileSize: mediaLimits.fileBytes, files: 2 * most, fields: 1, parts: 2 * most + 1 };
    for await (const part of readParts(request, { limits, signal: watch.signal })) {
      if (part.type !== 'file' || part.fieldname !== field) throw wrongField(part.fieldname, field);
      if (received === most) {
        if (!refuse) throw repeated(field);
        await finished(part.file.resume(), { signal: watch.signal });
        refuse(nameOf(part.filename));
        continue;
      }
      const bytes = await readAll(part.file, watch.signal);
      received += 1;
      await take({ name: nameOf(part.filename), bytes, isCut: part.file.truncated }, watch.signal);
    }
    if (received === 0) throw new AppError('no_file');
  } catch (error) {
    throw toFormError(error);
  } finally {
    stopCap();
    watch.stop();
  }
}

const wrongField = (name: string, field: string) =>
  new AppError('invalid_parameter', {
    param: name.slice(0, 40),
    detail: `Send ${field === 'file' ? 'the file' : 'the files'} in the "${field}" field.`,
  });

const repeated = (field: string) =>
  new AppError('invalid_parameter', { param: field, detail: `"${field}" was sent more than once.` });

/** Long names keep their end, which may say the type of the file. */
const nameOf = (sent = '') => {
  const last = sent.split(/[\\/]/).at(-1) ?? '';
  const printable = last.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '');
  const name = cleanFilename([...printable].slice(-mediaLimits.nameLength).join(''));
  return name === 'image' ? 'file' : name || 'file';
};

async function readAll(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(stream, { signal })) chunks.push(chunk);
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}
