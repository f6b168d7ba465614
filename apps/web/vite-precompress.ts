import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const encoders = { br: promisify(brotliCompress), gz: promisify(gzip) } as const;
const text = /\.(js|css|svg)$/;

/** Writes `.br` and `.gz` files next to each text file of the build, so that servers do not compress at run time. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir = '' }) => {
      const names = (await readdir(dir, { recursive: true })).filter((name) => text.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const content = await readFile(path);
          for (const [ending, encode] of Object.entries(encoders))
            await writeFile(`${path}.${ending}`, await encode(content));
        }),
      );
    },
  };
}
