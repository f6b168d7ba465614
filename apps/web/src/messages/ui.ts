/** Texts of the parts that pages are made of. */
export const uiMessages = {
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  retry: 'Try again',
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
  fault: 'This part stopped working. The rest of the page goes on.',
} as const;
