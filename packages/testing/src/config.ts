/** The environment of this process. */
export const hostEnv = process.env;
/** The environment of processes that tests start: only PATH. */
export const inheritedEnv = { PATH: process.env.PATH };
/** The checkout with the previous version's build, for `npm run test:upgrade`. */
export const previousCheckout = process.env.UPREZ_PREVIOUS_DIR ?? '';
/** Whether this is `npm run test:full`: more crashes and more generated requests. */
export const isFullRun = Boolean(process.env.UPREZ_FULL);
/** Whether a missing program fails the tests that need it instead of skipping them. */
export const isEveryToolRequired = Boolean(process.env.CI || process.env.REQUIRE_TOOLCHAINS);
/** File in which `npm test` counts the expensive resources that tests open. */
export const openedFile = process.env.UPREZ_TEST_OPENED;
