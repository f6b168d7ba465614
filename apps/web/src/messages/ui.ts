/** Texts of the parts that pages are made of. */
export const uiMessages = {
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  retry: 'Try again',
  loadMore: 'Load more',
  showPassword: 'Show the password',
  hidePassword: 'Hide the password',
  typeToConfirm: (word: string) => `Type ${word} to confirm`,
  copied: 'Copied',
  copyFailed: 'Failed to copy',
  copySelected: 'The text is selected. Copy it with your keyboard.',
  almostUsedUp: 'Almost used up',
  usedUp: 'Used up',
  offline: {
    title: 'You are offline',
    text: 'This appears as soon as you are connected again.',
  },
  dropArea: {
    dialog: 'Choose in the window that opened',
    dragging: 'Drop it here',
    accepted: 'Drop to take it',
    rejected: 'This is not something that can be taken here',
    invalidType: (types: readonly string[]) =>
      `File type must be ${types.length > 1 ? `one of ${types.join(', ')}` : types.join()}`,
    tooLarge: (bytes: number) => `File is larger than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    tooSmall: (bytes: number) => `File is smaller than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    tooMany: 'Too many files',
  },
  fault: 'This part stopped working. The rest of the page goes on.',
} as const;
