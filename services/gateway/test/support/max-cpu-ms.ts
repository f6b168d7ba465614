/** The CPU time that one call may cost, of the gateway and the test together, which run in one process. */
export const maxCpuMs = 5_000;
