import { useCallback, useState } from 'react';
import { type FileRejection, useDropzone } from 'react-dropzone';
import { type DropCode, type DropLimits, type DropRejection, dropMessage, dropState } from './drop-rejection.ts';

export type DropAreaOptions = DropLimits & {
  /** Off: more than one file is too many. */
  multiple?: boolean;
  disabled?: boolean;
  /** The page takes files that are dropped beside the area; otherwise nobody does. */
  takesBeside?: boolean;
  /** Files of dropped folders carry their `relativePath`. */
  onDrop: (accepted: File[], rejections: DropRejection[]) => void;
};

const refuse = ({ file, errors }: FileRejection, limits: DropLimits): DropRejection => ({
  file,
  errors: errors.map((error) => {
    const code = error.code as DropCode;
    return { code, message: dropMessage(code, limits) };
  }),
});

/** Hand files to a file input as if they had been picked there: every way in passes the same checks. */
function offerFiles(input: HTMLInputElement | null, files: Iterable<File>): void {
  if (!input) return;
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * A place for files: drop, or pick in the browser's dialog (one that was cancelled is noticed 300 ms after). `open`
 * shows the dialog, `offer` takes files that came otherwise. Spread rootProps on the area, inputProps on an input in
 * it, and buttonProps on the button that opens the dialog.
 */
export function useDropArea({ onDrop, disabled = false, takesBeside = false, ...options }: DropAreaOptions) {
  const [isFocused, setFocused] = useState(false);
  const zone = useDropzone({
    ...options,
    disabled,
    noClick: true,
    noKeyboard: true,
    // Otherwise the browser would leave the page for the file.
    preventDropOnDocument: !takesBeside,
    onDrop: (accepted, rejections) =>
      onDrop(
        accepted,
        rejections.map((rejection) => refuse(rejection, options)),
      ),
  });
  const { inputRef } = zone;
  const offer = useCallback((files: Iterable<File>) => offerFiles(inputRef.current, files), [inputRef]);
  return {
    state: dropState({ ...zone, disabled, isFocused }),
    rootProps: zone.getRootProps(),
    inputProps: zone.getInputProps(),
    buttonProps: {
      disabled,
      onClick: zone.open,
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
    open: zone.open,
    offer,
  };
}
