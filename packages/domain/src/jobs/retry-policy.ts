import { type ErrorCode, isRetried } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';

/** Whether a job that failed `failures` times, this one included, is tried again after `code`. */
export const triesAgain = (code: ErrorCode, failures: number) => isRetried(code) && failures < limits.attempts;

/** Wait before the next try, seconds: the base, doubled with each failure. */
export const backoffSeconds = (baseS: number, failures: number) => baseS * 2 ** (failures - 1);
