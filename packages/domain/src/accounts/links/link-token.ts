import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as a link in a mail carries them. */
export const makeLinkToken = () => randomBytes(32).toString('base64url');
/** What the database keeps of them. */
export const hashLinkToken = (token: string) => createHash('sha256').update(token).digest();
