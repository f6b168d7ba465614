/** Exit codes of the command. */
export const exitCodes = {
  ok: 0,
  /** Some images failed. The others are done. */
  someFailed: 1,
  /** The command line or the API key is invalid. Nothing was processed. */
  usage: 2,
  /** Processing stopped early: for example, the quota is used up, or the service can't be reached. */
  stopped: 3,
  interrupted: 130,
} as const;
