import { uiMessages } from '../../messages/ui.ts';

const text = uiMessages.dropArea;

/** What a drop area accepts: media types with file extensions, sizes in bytes, and the number of files. */
export type DropLimits = {
  accept?: Record<string, readonly string[]> | undefined;
  minSize?: number;
  maxSize?: number;
  maxFiles?: number;
};

export type DropCode = 'file-invalid-type' | 'file-too-large' | 'file-too-small' | 'too-many-files';

export type DropRejection = { file: File; errors: { code: DropCode; message: string }[] };

/** The error message for a rejected file. Sizes are in bytes to be exact at the limit. */
export function rejectionMessage(code: DropCode, { accept = {}, minSize = 0, maxSize = 0 }: DropLimits): string {
  switch (code) {
    case 'file-invalid-type':
      return text.invalidType(Object.entries(accept).flatMap(([type, extensions]) => [type, ...extensions]));
    case 'file-too-large':
      return text.tooLarge(maxSize);
    case 'file-too-small':
      return text.tooSmall(minSize);
    case 'too-many-files':
      return text.tooMany;
  }
}

export type DropState = 'disabled' | 'rejected' | 'accepted' | 'dragging' | 'dialog' | 'focused' | 'idle';
type Looks = { disabled: boolean; isDragReject: boolean; isDragAccept: boolean; isDragActive: boolean } & {
  isFileDialogActive: boolean;
  isFocused: boolean;
};

export function dropState(looks: Looks): DropState {
  if (looks.disabled) return 'disabled';
  if (looks.isDragReject) return 'rejected';
  if (looks.isDragAccept) return 'accepted';
  if (looks.isDragActive) return 'dragging';
  if (looks.isFileDialogActive) return 'dialog';
  return looks.isFocused ? 'focused' : 'idle';
}
