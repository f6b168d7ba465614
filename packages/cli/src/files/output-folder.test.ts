import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findImages } from './find-images.ts';
import { openJournal, openOutputFolder } from './open-output-folder.ts';
import { placeResult } from './place-result.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-folder-'));
  return () => rm(dir, { recursive: true, force: true });
});
const put = async (name: string, text = 'x') => {
  await mkdir(join(dir, name, '..'), { recursive: true });
  await writeFile(join(dir, name), text);
};

it('reads a truncated journal and appends to it', async () => {
  const file = join(dir, 'journal.jsonl');
  const first = await openJournal(file);
  await first.append({ key: 'a', idempotencyKey: 'i', source: '/a.png' });
  await first.append({ key: 'a', jobId: 'j' });
  await first.append({ key: 'b', output: 'b.png', bytes: 4 });
  await appendFile(file, '{"key":"c","outp');
  const second = await openJournal(file);
  expect([second.find('a'), second.find('b'), second.find('c')]).toEqual([
    { idempotencyKey: 'i', jobId: 'j' },
    { output: 'b.png', bytes: 4 },
    {},
  ]);
  await second.append({ key: 'a', forgotten: true });
  await second.append({ key: 'c', jobId: 'k' });
  const third = await openJournal(file);
  expect([third.find('a'), third.find('c')]).toEqual([{}, { jobId: 'k' }]);
});

it('locks the folder, and ignores the lock of a killed process', async () => {
  const folder = await openOutputFolder(dir);
  await writeFile(join(dir, '.uprez/lock'), String(process.ppid));
  await expect(openOutputFolder(dir)).rejects.toThrow(
    `Another uprez process (PID ${process.ppid}) is using this folder.`,
  );
  await writeFile(join(dir, '.uprez/lock'), '999999999');
  await put('.uprez/parts/half');
  const again = await openOutputFolder(dir);
  expect(await readdir(again.parts)).toEqual([]);
  await again.close();
  expect(await readdir(join(dir, '.uprez'))).toEqual(['parts']);
  await folder.close();
});

it('does not overwrite another file without force', async () => {
  const folder = await openOutputFolder(dir);
  const target = async (text: string, force = false) => {
    await writeFile(join(folder.parts, 'p'), text);
    await placeResult(folder, join(folder.parts, 'p'), { output: 'deep/a.jpg', force });
    return readFile(join(dir, 'deep/a.jpg'), 'utf8');
  };
  expect(await target('one')).toBe('one');
  expect(await target('one')).toBe('one');
  await expect(target('two')).rejects.toThrow('"deep/a.jpg" already exists. Add --force');
  expect(await readFile(join(dir, 'deep/a.jpg'), 'utf8')).toBe('one');
  expect(await target('two', true)).toBe('two');
  expect(await readdir(folder.parts)).toEqual([]);
});

it('finds images in folders and globs without duplicates and results', async () => {
  for (const name of ['in/a.PNG', 'in/b [1].jpeg', 'in/deep/c.webp', 'in/notes.txt', 'in/.hidden.png', 'in/out/r.jpg'])
    await put(name);
  await symlink(join(dir, 'in/a.PNG'), join(dir, 'in/link.png'));
  let selection = {};
  const names = async (...inputs: string[]) =>
    (await findImages({ inputs: inputs.map((input) => join(dir, input)), out: join(dir, 'in/out'), ...selection })).map(
      ({ relative }) => relative,
    );
  expect(await names('in', 'in/a.PNG')).toEqual(['a', 'b [1]', 'deep/c']);
  expect(await names('in/**/*.webp')).toEqual(['deep/c']);
  expect(await names('in/*/c.*')).toEqual(['deep/c']);
  expect(await names('in/notes.txt', 'in/b [1].jpeg')).toEqual(['b [1]', 'notes']);
  selection = { base: dir };
  expect(await names('in/deep/c.webp', 'in/*.PNG')).toEqual(['in/a', 'in/deep/c']);
  selection = { base: join(dir, 'in/deep') };
  await expect(names('in/a.PNG')).rejects.toThrow('is outside the folder of --base');
  await expect(names('none')).rejects.toThrow('File or folder not found');
  await expect(names('in/*.gif')).rejects.toThrow('No images match');
  await expect(findImages({ inputs: [join(dir, 'in')], out: join(dir, 'in') })).rejects.toThrow(
    'The output folder is also an input folder',
  );
});
