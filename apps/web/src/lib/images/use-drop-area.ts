import { useCallback, useState } from 'react';
import { type DropzoneOptions, type DropzoneState, type FileRejection, useDropzone } from 'react-dropzone';

export type DropRejection = FileRejection;

export type DropAreaOptions = Pick<DropzoneOptions, 'accept' | 'minSize' | 'maxSize' | 'multiple' | 'disabled'> & {
  /** Whether the page handles files that are dropped outside of the area. */
  takesBeside?: boolean;
  /** Files of dropped folders have a `relativePath`. */
  onDrop: (accepted: File[], rejections: DropRejection[]) => void;
};

type Zone = Pick<DropzoneState, 'isDragReject' | 'isDragAccept' | 'isDragActive' | 'isFileDialogActive' | 'isFocused'>;
export type DropState = 'disabled' | 'rejected' | 'accepted' | 'dragging' | 'dialog' | 'focused' | 'idle';

export function toDropState(zone: Zone & { disabled: boolean }): DropState {
  if (zone.disabled) return 'disabled';
  if (zone.isDragReject) return 'rejected';
  if (zone.isDragAccept) return 'accepted';
  if (zone.isDragActive) return 'dragging';
  if (zone.isFileDialogActive) return 'dialog';
  return zone.isFocused ? 'focused' : 'idle';
}

/** Passes files to a file input as if they had been chosen there, so that all files go through the same checks. */
function setInputFiles(input: HTMLInputElement | null, files: Iterable<File>): void {
  if (!input) return;
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Returns the state, props, and functions of a drop area. `open` shows the browser's file dialog, and `offer` adds
 * files from elsewhere. `buttonProps`: props of a button that opens the dialog.
 */
export function useDropArea({ onDrop, disabled = false, takesBeside = false, ...options }: DropAreaOptions) {
  const [isFocused, setFocused] = useState(false);
  const zone = useDropzone({
    ...options,
    disabled,
    noClick: true,
    noKeyboard: true,
    // Otherwise, the browser would open a file that is dropped outside of the area.
    preventDropOnDocument: !takesBeside,
    onDrop,
  });
  const { inputRef } = zone;
  const offer = useCallback((files: Iterable<File>) => setInputFiles(inputRef.current, files), [inputRef]);
  return {
    state: toDropState({ ...zone, disabled, isFocused }),
    rootProps: zone.getRootProps(),
    inputProps: zone.getInputProps(),
    buttonProps: { disabled, onClick: zone.open, onFocus: () => setFocused(true), onBlur: () => setFocused(false) },
    open: zone.open,
    offer,
  };
}
