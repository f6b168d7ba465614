/** Counts checks and prints each one, with the reason when it fails. */
export function openChecks() {
  let passed = 0;
  const failures: string[] = [];
  return {
    /** Runs a check. It fails when it throws. Returns its value. */
    check: async <Value>(label: string, work: () => Promise<Value> | Value): Promise<Value | undefined> => {
      const start = performance.now();
      try {
        const value = await work();
        passed += 1;
        const note = typeof value === 'string' ? `: ${value}` : '';
        console.log(`ok      ${label}${note} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
        return value;
      } catch (error) {
        failures.push(label);
        console.log(`FAILED  ${label}\n${String(error)}`);
        return undefined;
      }
    },
    /** Prints the last line. Returns the exit code. */
    end: () => {
      console.log(`${passed} passed, ${failures.length} failed`);
      return failures.length > 0 || passed === 0 ? 1 : 0;
    },
  };
}

export type Checks = ReturnType<typeof openChecks>;

/** Throws unless a statement is true. */
export function expect(statement: boolean, message: string): void {
  if (!statement) throw new Error(message);
}
