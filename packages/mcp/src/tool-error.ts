/** An error that tells the model what to change. */
export class ToolError extends Error {}
