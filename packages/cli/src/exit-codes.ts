/** What the command ends with. */
export const exitCodes = {
  ok: 0,
  /** Some images failed; the others are done. */
  someFailed: 1,
  /** The command line is wrong, or there is no key. Nothing was begun. */
  usage: 2,
  /** The work could not go on: the service refused the key or the plan is used up, or it cannot be reached. */
  stopped: 3,
  interrupted: 130,
} as const;
