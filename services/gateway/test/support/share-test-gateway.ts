import { makeWorkerFixture } from '@uprez/testing/fixtures';
import { beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const shareOne = makeWorkerFixture(() => startTestGateway());

/**
 * Returns a test gateway with default settings, which many files of a Vitest worker share one after another. Such a file uses
 * accounts of its own, reads only their rows, and leaves settings as they are. It may empty a table that only it uses.
 */
export function shareTestGateway(): TestGateway {
  const gateway = shareOne();
  // Administrators of earlier files would appear in lists and counts.
  beforeAll(() => gateway.ctx.db.updateTable('users').set({ role: null }).where('role', 'is not', null).execute());
  return gateway;
}
