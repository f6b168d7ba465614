import { describe, expect, it } from 'vitest';
import { readArguments } from './read-arguments.ts';

const read = (line: string) => readArguments(line.split(' '));

describe('readArguments', () => {
  it('takes the format from the name of the output, the rest from the defaults of the API', () => {
    expect(read('in.png out.jpg')).toEqual({
      input: 'in.png',
      output: 'out.jpg',
      recipe: { scaleFactor: 2, format: 'jpeg', quality: 95, engine: 'auto' },
    });
  });
  it('takes every option', () => {
    expect(read('a b --scale 3.5 --engine photo-fast --format webp --quality 80')?.recipe).toEqual({
      scaleFactor: 3.5,
      format: 'webp',
      quality: 80,
      engine: 'photo-fast',
    });
  });
  it('answers nothing when help is asked for', () => {
    expect(read('--help')).toBeUndefined();
  });
  it.each([
    ['in.png', 'Name one input file and one output file.'],
    ['in.png out.gif', 'does not say which format'],
    ['in.png out.png --scale 9', 'must be a number from 1 to 8'],
    ['in.png out.png --scale 2x', 'must be a number from 1 to 8'],
    ['in.png out.png --engine magic', 'must be one of'],
    ['in.png out.png --fast', "Unknown option '--fast'. See uprez-image --help."],
  ])('refuses %j', (line, sentence) => {
    expect(() => read(line)).toThrow(sentence);
  });
});
