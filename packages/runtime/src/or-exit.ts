/** What `read` gives, or its error's message on stderr and the end: for mistakes of a person, who needs no stack. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return exitWith(error);
  }
}

/** Print the message of an error and of what caused it, and leave with code 1. */
export function exitWith(error: unknown): never {
  for (let cause = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    console.error(cause instanceof Error ? cause.message : String(cause));
  }
  process.exit(1);
}
