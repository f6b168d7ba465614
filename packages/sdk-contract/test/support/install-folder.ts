import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Sdk, sdkDir } from './sdks.ts';

/** Opens an empty folder to install a package in. */
export async function openInstallFolder() {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-install-'));
  return {
    root,
    /** Writes files by path. */
    write: async (files: Record<string, string>) => {
      for (const [name, text] of Object.entries(files)) {
        await fs.mkdir(path.dirname(path.join(root, name)), { recursive: true });
        await fs.writeFile(path.join(root, name), text);
      }
    },
    /** Copies the sources of a package, because its tools write next to them. Returns the folder. */
    copy: async (sdk: Sdk) => {
      const target = path.join(root, 'package');
      const filter = (from: string) => !/[\\/](node_modules|dist|__pycache__|[\w.]+\.egg-info)$/.test(from);
      await fs.cp(sdkDir(sdk), target, { recursive: true, filter });
      return target;
    },
    close: () => fs.rm(root, { recursive: true, force: true }),
  };
}
