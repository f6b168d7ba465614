/** What a drop area accepts: media types with file extensions, sizes in bytes, and the number of files. */
export type DropLimits = {
  accept?: Record<string, readonly string[]> | undefined;
  minSize?: number;
  maxSize?: number;
  maxFiles?: number;
};
export type DropCode = 'file-invalid-type' | 'file-too-large' | 'file-too-small' | 'too-many-files';
export type DropRejection = { file: File; errors: { code: DropCode; message: string }[] };

const countBytes = (bytes = 0) => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;

const rejections: Record<DropCode, (limits: DropLimits) => string> = {
  'file-invalid-type': ({ accept = {} }) => {
    const types = Object.entries(accept).flatMap(([type, extensions]) => [type, ...extensions]);
    return `File type must be ${types.length > 1 ? `one of ${types.join(', ')}` : types.join()}`;
  },
  'file-too-large': ({ maxSize }) => `File is larger than ${countBytes(maxSize)}`,
  'file-too-small': ({ minSize }) => `File is smaller than ${countBytes(minSize)}`,
  'too-many-files': () => 'Too many files',
};

/** The error message for a rejected file. Sizes are in bytes to be exact at the limit. */
export const rejectionMessage = (code: DropCode, limits: DropLimits): string => rejections[code](limits);

export type DropState = 'disabled' | 'rejected' | 'accepted' | 'dragging' | 'dialog' | 'focused' | 'idle';
type Looks = Record<'disabled' | 'isDragReject' | 'isDragAccept' | 'isDragActive', boolean> &
  Record<'isFileDialogActive' | 'isFocused', boolean>;

export function dropState(looks: Looks): DropState {
  if (looks.disabled) return 'disabled';
  if (looks.isDragReject) return 'rejected';
  if (looks.isDragAccept) return 'accepted';
  if (looks.isDragActive) return 'dragging';
  if (looks.isFileDialogActive) return 'dialog';
  return looks.isFocused ? 'focused' : 'idle';
}
