/** Codes that stand in for the authenticator app, each once: a used one is deleted. */
export type RecoveryCodesTable = {
  userId: string;
  codeHash: Buffer;
};
