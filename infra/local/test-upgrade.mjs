// npm run test:upgrade: builds the previous version, and runs it beside this one on one database while this one migrates. The
// last line is "N passed, N failed".
import { main, run } from './run.mjs';
import { buildPrevious } from './upgrade/build-previous.mjs';
import { findPrevious } from './upgrade/find-previous.mjs';

await main(async () => {
  const { commit, reason } = await findPrevious();
  if (reason) {
    console.log(`skipped: ${reason}\n0 passed, 0 failed, 1 skipped`);
    return 0;
  }
  const start = performance.now();
  console.log(`building the previous version ${commit.slice(0, 12)}`);
  const folder = await buildPrevious(commit);
  console.log(`built after ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return run('node', ['infra/local/test.mjs', 'previous-version'], { UPREZ_PREVIOUS_DIR: folder });
});
