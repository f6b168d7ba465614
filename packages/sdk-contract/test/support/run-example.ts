import fs from 'node:fs/promises';
import path from 'node:path';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import { runIn, type Sdk, sdkDir } from './sdks.ts';

/** How to run the example of a language, and how to install the package in its folder. */
const projects: Record<Sdk, { file: string; command: string[]; install: (folder: string) => Promise<unknown> }> = {
  node: {
    file: 'upscale.mjs',
    command: [oldestNode, 'upscale.mjs'],
    install: async (folder) => {
      await fs.mkdir(path.join(folder, 'node_modules/@uprez'), { recursive: true });
      await fs.symlink(sdkDir('node'), path.join(folder, 'node_modules/@uprez/sdk-node'));
    },
  },
  python: {
    file: 'upscale.py',
    command: ['python3', 'upscale.py'],
    install: (folder) => fs.symlink(path.join(sdkDir('python'), 'src/uprez'), path.join(folder, 'uprez')),
  },
  php: {
    file: 'upscale.php',
    command: ['php', 'upscale.php'],
    install: (folder) => fs.symlink(sdkDir('php'), path.join(folder, 'vendor')),
  },
  go: {
    file: 'upscale.go',
    command: ['go', 'run', 'upscale.go'],
    install: (folder) => fs.writeFile(path.join(folder, 'go.mod'), goModule),
  },
};

const goName = 'github.com/uprez/uprez-go';
const goModule = `module example\n\ngo 1.19\n\nrequire ${goName} v0.0.0\n\nreplace ${goName} => ${sdkDir('go')}\n`;

/** Runs the example of an SDK with a real URL and API key. Returns the resulting image. */
export async function runExample(
  sdk: Sdk,
  { folder, image, url, key }: { folder: string; image: Buffer; url: string; key: string },
): Promise<Buffer> {
  const { file, command, install } = projects[sdk];
  await fs.mkdir(folder);
  await install(folder);
  const code = await fs.readFile(path.join(sdkDir(sdk), 'examples', file), 'utf8');
  const filled = code.replace('https://uprez.example', url).replace('YOUR_API_KEY', key);
  await fs.writeFile(path.join(folder, file), filled);
  await fs.writeFile(path.join(folder, 'photo.jpg'), image);
  await runIn(sdk, command, { cwd: folder });
  return fs.readFile(path.join(folder, 'upscaled.jpg'));
}
