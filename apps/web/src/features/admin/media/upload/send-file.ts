import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type MediaFile, mediaFileSchema, mediaUploadSchema } from '@uprez/contracts/schemas/content/media';
import { ShownError } from '../../../../lib/api/api-errors.ts';
import { uploadFile } from '../../../../lib/api/upload-file.ts';

type Transfer = { signal: AbortSignal; onPercent: (percent: number) => void };

const formOf = (field: string, file: File) => {
  const form = new FormData();
  form.append(field, file, file.name);
  return form;
};

/** Adds a file to the library. Throws an error with a message for the user if the file was refused. */
export async function sendFile(file: File, transfer: Transfer): Promise<MediaFile> {
  const body = formOf('files', file);
  const answer = await uploadFile({ route: adminRoutes.adminUploadMedia, body, ...transfer });
  const { files, refused } = mediaUploadSchema.parse(answer);
  const [stored] = files;
  if (!stored) throw new ShownError(refused[0]?.message);
  return stored;
}

/** Replaces the content of a file of the library. */
export async function sendReplacement(id: string, file: File, transfer: Transfer): Promise<MediaFile> {
  const body = formOf('file', file);
  return mediaFileSchema.parse(
    await uploadFile({ route: adminRoutes.adminReplaceMedia, params: { id }, body, ...transfer }),
  );
}
