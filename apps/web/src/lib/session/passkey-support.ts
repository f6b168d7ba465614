export const passkeyMessages = {
  use: 'Use a passkey',
  pending: 'Waiting for your passkey...',
  canceled: "Your browser didn't use a passkey. Try again, or use your password.",
  notAdded: "Your browser didn't create a passkey. Try again.",
  known: 'This device already has a passkey for your account.',
  wrongAddress: "Passkeys don't work at this address. Open the site by its domain name.",
} as const;

/** Whether the browser supports passkeys, which need a secure connection. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;
