/** Whether the browser supports passkeys, which need a secure connection. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;
