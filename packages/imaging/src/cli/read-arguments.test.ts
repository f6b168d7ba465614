import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { describe, expect, it } from 'vitest';
import { formatUsage, readArguments } from './read-arguments.ts';

const read = (line: string) => readArguments(line.split(' '));

describe('readArguments', () => {
  it("uses the format of the output name and the API's defaults", () => {
    expect(read('in.png out.jpg')).toEqual({
      input: 'in.png',
      output: 'out.jpg',
      recipe: { ...recipeDefaults, neverLarger: false, scaleFactor: 2, format: 'jpeg' },
    });
  });
  it('parses every option', () => {
    const line = 'a b --long-side 900 --engine photo-fast --format webp --target-bytes 80000 --metadata all --gps';
    expect(read(line)?.recipe).toEqual({
      ...recipeDefaults,
      neverLarger: false,
      longSide: 900,
      format: 'webp',
      targetBytes: 80_000,
      engine: 'photo-fast',
      metadata: 'all',
      gps: true,
    });
    expect(read('a b.png --report r.html --receipt r.json --mask m.png')).toMatchObject({
      ...{ report: 'r.html', receipt: 'r.json', mask: 'm.png' },
    });
  });
  it('parses a print resolution', () => {
    expect(read('a b.png --dpi 300')?.recipe).toMatchObject({ dpi: 300 });
    expect(read('a b.png --never-larger')?.recipe).toMatchObject({ neverLarger: true });
    expect(read('a b.png --no-keep-dpi')?.recipe).toMatchObject({ keepDpi: false });
  });
  it('separates names of profiles from their files', () => {
    expect(read('a b.tif --print-profile generic')?.recipe).toMatchObject({ printProfile: 'generic' });
    expect(read('a b.tif --print-profile Press/PSO.ICC')).toMatchObject({
      recipe: { printProfile: 'file' },
      printProfile: 'Press/PSO.ICC',
    });
  });
  it('lists every parameter in the usage', () => {
    for (const name of ['scale-factor', 'short-side', 'background', 'report'])
      expect(formatUsage()).toContain(`--${name} `);
  });
  it('returns undefined for --help', () => {
    expect(read('--help')).toBeUndefined();
  });
  it.each([
    ['in.png', 'Pass one input file and one output file.'],
    ['in.png out.xyz', "isn't a known format"],
    ['in.png out.png --scale 129', 'must be a number from 0.01 to 128'],
    ['in.png out.png --scale 2x', 'must be a number from 0.01 to 128'],
    ['in.png out.png --engine magic', 'must be one of'],
    ['in.png out.png --scale 2 --width 9', 'each set the size'],
    ['in.png out.png --fast', "Unknown option '--fast'. See uprez-image --help."],
  ])('rejects %j', (line, sentence) => {
    expect(() => read(line)).toThrow(sentence);
  });
});
