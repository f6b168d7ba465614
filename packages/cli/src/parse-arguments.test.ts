import { expect, it } from 'vitest';
import { cliFlags, makeUsage, recipeFlags } from './flags.ts';
import { parseArguments } from './parse-arguments.ts';

const read = (line: string) => parseArguments(line.split(' '));

it('parses images, the output folder, and image options', () => {
  expect(read('a.png photos -o big --scale 4 --long-side 900 --gps --engine photo --format JPG -c 8 -f')).toEqual({
    ...{ name: 'process', sandbox: false, json: false, quiet: false },
    options: {
      ...{ inputs: ['a.png', 'photos'], out: 'big', concurrency: 8, force: true, local: false, dryRun: false },
      fields: { scale: '4', long_side: '900', gps: 'true', engine: 'photo', format: 'jpg' },
    },
  });
});

it('turns off what is on by default', () => {
  const { options } = read('a -o b --no-keep-dpi --dpi 300') as { options: { fields: object } };
  expect(options.fields).toEqual({ keep_dpi: 'false', dpi: '300' });
});

it('parses the process command, whose last argument is the output without --out', () => {
  const options = (line: string) => (read(line) as { options: object }).options;
  expect(options('process s3://in/a b s3://out')).toMatchObject({ inputs: ['s3://in/a', 'b'], out: 's3://out' });
  expect(options('process a b -o big --base x')).toMatchObject({ inputs: ['a', 'b'], out: 'big', base: 'x' });
});

it('parses the watch command', () => {
  expect(read('watch in -o out --interval 5 --url https://x.example')).toMatchObject({
    ...{ name: 'watch', intervalS: 5, url: 'https://x.example' },
    options: { inputs: ['in'], out: 'out', concurrency: 4 },
  });
});

it('parses the listen command', () => {
  const options = { forwardTo: 'http://localhost:3000/hook', secret: undefined };
  expect(read('listen --forward-to http://localhost:3000/hook --sandbox')).toMatchObject({ sandbox: true, options });
});

it('defaults to one image at a time with --local', () => {
  expect(read('a.png -o out --local')).toMatchObject({ options: { local: true, concurrency: 1 } });
});

it.each(['', '--help', 'help', 'a.png -h'])('shows help with every flag for %j', (line) => {
  expect(parseArguments(line.split(' ').filter(Boolean)).name).toBe('help');
  for (const flag of [...recipeFlags.keys(), ...Object.keys(cliFlags)]) expect(makeUsage()).toContain(`--${flag}`);
});

it.each([
  ['a.png', '--out FOLDER'],
  ['watch -o out', 'Pass at least one image'],
  ['a.png -o out --scale 2x', '--scale must be a number from 0.01 to 128.'],
  ['a.png -o out --engine magic', '--engine must be one of: auto, photo-fast'],
  ['a.png -o out --fast', "Unknown option '--fast'. See uprez --help."],
  ['a.png -o out -c 0', '--concurrency must be a whole number'],
  ['a.png -o out --local --dry-run', "--dry-run can't be used with --local"],
  ['a.png -o out --local --format auto', 'Choose a format'],
  ['process a.png', '--out FOLDER'],
  ['a.png -o s3://', '"s3://" has no bucket. Use s3://BUCKET/PREFIX.'],
  ['watch s3://in -o out', "can't be used with buckets"],
  ['listen', '--forward-to http://localhost:3000/webhooks'],
  ['listen --forward-to localhost:3000', '--forward-to http://localhost:3000/webhooks'],
  ['listen --forward-to http://localhost --secret x', '--secret must be a signing secret'],
  ['listen a.png --forward-to http://localhost', 'takes no images'],
  ['watch in -o out --dry-run', 'can\'t be used with "uprez watch"'],
])('rejects %j', (line, sentence) => {
  expect(() => read(line)).toThrow(sentence);
});
