/** Codes that stand in for the authenticator app, each once: a used one is deleted. */
export type RecoveryCodesTable = {
  user_id: string;
  code_hash: Buffer;
};
