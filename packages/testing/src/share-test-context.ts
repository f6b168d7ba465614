import { makeWorkerFixture } from './fixtures.ts';
import { openTestContext } from './open-test-context.ts';

/**
 * Returns a context that all files of a Vitest worker share one after another. Such a file uses accounts of its own, reads only
 * their rows, and leaves settings and rows of others as they are.
 */
export const shareTestContext = makeWorkerFixture(() => openTestContext());
