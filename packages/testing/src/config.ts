/** What a process started by a test inherits: where programs are, and nothing else. */
export const inheritedEnv = { PATH: process.env.PATH };
