/** What a process started by a test inherits: where programs are, and nothing else. */
export const inheritedEnv = { PATH: process.env.PATH, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
/** Whether a missing program fails the tests that need it, rather than leaving them out. */
export const isEveryToolRequired = Boolean(process.env.CI || process.env.REQUIRE_TOOLCHAINS);
