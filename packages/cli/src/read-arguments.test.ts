import { expect, it } from 'vitest';
import { ownFlags } from './own-flags.ts';
import { readArguments } from './read-arguments.ts';
import { recipeFlags } from './recipe-flags.ts';
import { makeUsage } from './usage.ts';

const read = (line: string) => readArguments(line.split(' '));

it('takes images, a folder and the parameters of the API', () => {
  expect(read('a.png photos -o big --scale 4 --long-side 900 --gps --engine photo --format JPG -c 8 -f')).toEqual({
    ...{ name: 'process', sandbox: false, json: false, quiet: false },
    work: {
      ...{ inputs: ['a.png', 'photos'], out: 'big', concurrency: 8, force: true, local: false, dryRun: false },
      fields: { scale: '4', long_side: '900', gps: 'true', engine: 'photo', format: 'jpg' },
    },
  });
});

it('watches', () => {
  expect(read('watch in -o out --interval 5 --url https://x.example')).toMatchObject({
    ...{ name: 'watch', intervalS: 5, url: 'https://x.example' },
    work: { inputs: ['in'], out: 'out', concurrency: 4 },
  });
});

it('works alone on this machine one image at a time', () => {
  expect(read('a.png -o out --local')).toMatchObject({ work: { local: true, concurrency: 1 } });
});

it.each(['', '--help', 'help', 'a.png -h'])('explains everything for %j', (line) => {
  expect(readArguments(line.split(' ').filter(Boolean)).name).toBe('help');
  for (const flag of [...recipeFlags.keys(), ...Object.keys(ownFlags)]) expect(makeUsage()).toContain(`--${flag}`);
});

it.each([
  ['a.png', '--out FOLDER'],
  ['watch -o out', 'Name the images'],
  ['a.png -o out --scale 2x', '--scale must be a number from 0.01 to 128.'],
  ['a.png -o out --engine magic', '--engine must be one of: auto, photo-fast'],
  ['a.png -o out --fast', "Unknown option '--fast'. See uprez --help."],
  ['a.png -o out -c 0', '--concurrency must be a whole number'],
  ['a.png -o out --local --dry-run', '--dry-run needs the service'],
  ['a.png -o out --local --format auto', 'name a format'],
  ['watch in -o out --dry-run', 'do not go together'],
])('refuses %j', (line, sentence) => {
  expect(() => read(line)).toThrow(sentence);
});
