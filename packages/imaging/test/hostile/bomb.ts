import type { ErrorCode } from '@uprez/contracts/errors/error-codes';

/** `code`: error of the inspection, or several when the decoder's library may have other limits. */
export type Bomb = { name: string; code: ErrorCode | ErrorCode[]; make: () => Buffer | Promise<Buffer> };
