/** Texts of the confirmation before a sign-out that would lose unsaved work. */
export const signOutMessages = {
  title: 'Sign out now?',
  text: 'You have unsaved changes or uploads in progress. They will be lost.',
  confirm: 'Sign out',
} as const;
