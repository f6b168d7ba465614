export const hostEnv = process.env;
/** The environment for processes that tests start. Contains only PATH. */
export const inheritedEnv = { PATH: process.env.PATH };
/** The checkout with the previous version's build, for `npm run test:upgrade`. */
export const previousCheckout = process.env.UPREZ_PREVIOUS_DIR ?? '';
/** Whether this is `npm run test:full`, which runs more crashes and more generated requests. */
export const isFullRun = Boolean(process.env.UPREZ_FULL);
/** Whether tests fail instead of being skipped if a program that they need is missing. */
export const isEveryToolRequired = Boolean(process.env.CI || process.env.REQUIRE_TOOLCHAINS);
/** File in which `npm test` counts the expensive resources that tests open. */
export const openedFile = process.env.UPREZ_TEST_OPENED;
