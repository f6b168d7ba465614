/** An error message for the log of the workflow. */
export class ActionError extends Error {}
