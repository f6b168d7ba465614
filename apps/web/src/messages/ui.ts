/** Texts of the shared components. */
export const uiMessages = {
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  retry: 'Try again',
  loadMore: 'Load more',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  typeToConfirm: (word: string) => `Type ${word} to confirm`,
  copied: 'Copied',
  copyFailed: 'Failed to copy',
  copySelected: 'The text is selected. Press Ctrl+C or ⌘C to copy it.',
  almostUsedUp: 'Almost at the limit',
  usedUp: 'Limit reached',
  offline: {
    title: "You're offline",
    text: 'This content will load when you reconnect.',
  },
  dropArea: {
    dialog: 'Choose a file in the dialog',
    dragging: 'Drop here',
    accepted: 'Drop to add',
    rejected: "This file type isn't supported",
    invalidType: (types: readonly string[]) =>
      `File type must be ${types.length > 1 ? `one of ${types.join(', ')}` : types.join()}`,
    tooLarge: (bytes: number) => `File is larger than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    tooSmall: (bytes: number) => `File is smaller than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    tooMany: 'Too many files',
  },
  fault: 'Something went wrong in this section.',
} as const;
