import fs from 'node:fs/promises';
import path from 'node:path';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { makeImage } from '@uprez/testing/make-image';

/** Writes the files of the cases. */
export async function makeFiles(folder: string): Promise<void> {
  const photo = await makeImage({ width: 60, height: 40 });
  const files: Record<string, Buffer | string> = {
    'photo.png': photo,
    'drawing.png': await makeImage({ width: 40, height: 30, seed: 2 }),
    'twice.png': await makeImage({ width: 40, height: 30, seed: 5 }),
    'lost.png': await makeImage({ width: 40, height: 30, seed: 3 }),
    'glass.png': await makeImage({ width: 45, height: 30, alpha: true }),
    'large.png': await makeImage({ width: 400, height: 300 }),
    'cut.png': photo.subarray(0, Math.floor(photo.length / 2)),
    'empty.png': '',
    // Exceeds the sandbox limit and the buffers of a connection.
    'huge.png': Buffer.alloc(sandbox.maxBytes + 1),
    'text.txt': 'Not an image.',
  };
  for (const name of ['slow', 'error-quota_exceeded', 'error-processing_crashed', 'error-internal'])
    files[`${name}.png`] = photo;
  for (const [name, content] of Object.entries(files)) await fs.writeFile(path.join(folder, name), content);
}
