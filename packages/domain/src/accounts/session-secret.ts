import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as the cookie carries them. */
export const createSessionSecret = () => randomBytes(32).toString('base64url');
/** What the database keeps of them. */
export const hashSessionSecret = (secret: string) => createHash('sha256').update(secret).digest();
