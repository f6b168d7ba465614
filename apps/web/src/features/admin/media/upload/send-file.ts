import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { mediaLimits } from '@uprez/contracts/policy/images/media';
import { type MediaFile, mediaFileSchema, mediaUploadSchema } from '@uprez/contracts/schemas/content/media';
import { ShownError } from '../../../../lib/api/api-errors.ts';
import { uploadFile } from '../../../../lib/api/upload-file.ts';
import { uploadMessages as text } from '../messages.ts';

type Transfer = { signal: AbortSignal; onPercent: (percent: number) => void };

const makeUploadForm = (field: string, file: File) => {
  const form = new FormData();
  form.append(field, file, file.name);
  return form;
};

/** Adds a file to the library. Throws an error with a message for the user if the file is refused. */
export async function sendFile(file: File, transfer: Transfer): Promise<MediaFile> {
  const body = makeUploadForm('files', file);
  const answer = await uploadFile({ route: adminRoutes.adminUploadMedia, body, ...transfer });
  const { files, refused } = mediaUploadSchema.parse(answer);
  const [stored] = files;
  if (!stored) throw new ShownError(refused[0]?.message);
  return stored;
}

/** Replaces the content of a file in the library. */
export async function sendReplacement(id: string, file: File, transfer: Transfer): Promise<MediaFile> {
  const body = makeUploadForm('file', file);
  return mediaFileSchema.parse(
    await uploadFile({ route: adminRoutes.adminReplaceMedia, params: { id }, body, ...transfer }),
  );
}

export type UploadState = keyof typeof text.states;
export type UploadRow = { id: string; file: File; state: UploadState; percent: number; reason?: string | undefined };

const acceptedNamePatterns = { all: /\.(jpe?g|png|gif|webp|pdf|txt|md)$/i, image: /\.(jpe?g|png|gif|webp)$/i } as const;
export const acceptedTypes = {
  all: '.jpg,.jpeg,.png,.gif,.webp,.pdf,.txt,.md',
  image: '.jpg,.jpeg,.png,.gif,.webp',
} as const;
export type UploadKind = keyof typeof acceptedNamePatterns;

/**
 * Returns why a file would be refused, based on its name and size, or undefined if it seems valid. The server also
 * checks the content.
 */
export function findRejectionReason(
  { name, size }: Pick<File, 'name' | 'size'>,
  kind: UploadKind = 'all',
): string | undefined {
  if (!acceptedNamePatterns[kind].test(name)) return kind === 'image' ? text.notImage : text.wrongType;
  if (size === 0) return text.empty;
  return size > mediaLimits.fileBytes ? text.tooLarge : undefined;
}

/** Creates rows for new files. Refuses files that exceed the limit per upload. */
export function makeRows(
  files: readonly File[],
  { kind, taken, makeId }: { kind: UploadKind; taken: number; makeId: () => string },
): UploadRow[] {
  let ready = taken;
  return files.map((file) => {
    const reason = findRejectionReason(file, kind) ?? (ready >= mediaLimits.files ? text.tooMany : undefined);
    if (!reason) ready += 1;
    return { id: makeId(), file, percent: 0, ...(reason ? { state: 'refused', reason } : { state: 'ready' }) };
  });
}
