import { makeWorkerFixture } from './fixtures.ts';
import { openTestContext } from './open-test-context.ts';

/**
 * Returns a context that all files of a Vitest worker share, one after another. Each file must use its own accounts,
 * read only their rows, and leave settings and other rows unchanged.
 */
export const shareTestContext = makeWorkerFixture(() => openTestContext());
