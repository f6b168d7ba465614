/** Texts of the sign-out confirmation. */
export const signOutMessages = {
  title: 'Sign out now?',
  text: 'Something here is not sent or saved yet. Signing out stops it and forgets it in this browser.',
  confirm: 'Sign out',
} as const;
