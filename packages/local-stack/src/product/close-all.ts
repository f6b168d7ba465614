export interface Closer {
  name: string;
  close: () => Promise<void>;
}

/** Closes in reverse order. Prints errors and continues. */
export async function closeAll(closers: Closer[], print: (line: string) => void): Promise<void> {
  for (const { name, close } of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      print(`stopping ${name} failed: ${(error as Error).message}`);
    }
  }
}
