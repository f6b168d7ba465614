/** The environment of this process. */
export const hostEnv = process.env;
/** The environment of processes that tests start: only the paths of programs. */
export const inheritedEnv = { PATH: process.env.PATH };
/** The checkout with the build of the previous version, in `npm run test:upgrade`. */
export const previousCheckout = process.env.UPREZ_PREVIOUS_DIR ?? '';
/** Whether this is `npm run test:full`: more crashes and more generated requests. */
export const isFullRun = Boolean(process.env.UPREZ_FULL);
/** Whether a missing program fails the tests that need it instead of skipping them. */
export const isEveryToolRequired = Boolean(process.env.CI || process.env.REQUIRE_TOOLCHAINS);
/** The file in which `npm test` counts what tests open. */
export const openedFile = process.env.UPREZ_TEST_OPENED;
