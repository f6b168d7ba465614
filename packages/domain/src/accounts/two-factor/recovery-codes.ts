import { createHash, randomInt } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { bareCode } from './totp.ts';

/** Without the letters that are mistaken for digits (Crockford's base32): 5 bits each. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
/** 75 bits a code: too many to be searched through, even with the database at hand. */
const groups = 3;
const groupLength = 5;

const makeGroup = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** A full set of new codes, like `3f7kq-9zt0m-h2c8w`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => Array.from({ length: groups }, makeGroup).join('-'));

/** The stored hash of a code; random codes need no slow one. Letters that look like digits count as digits. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(bareCode(code).toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')).digest();
