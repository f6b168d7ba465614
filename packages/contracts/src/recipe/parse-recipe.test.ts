import { describe, expect, it } from 'vitest';
import { parseRecipe } from './parse-recipe.ts';

const codeOf = (fields: [string, string][]) => {
  try {
    parseRecipe(fields);
  } catch (error) {
    return error;
  }
  throw new Error('accepted');
};

describe('parseRecipe', () => {
  it('fills in the defaults', () => {
    expect(parseRecipe([])).toEqual({
      scaleFactor: 2,
      fit: 'fit',
      format: 'png',
      quality: 95,
      engine: 'auto',
      neverLarger: true,
      background: '#ffffff',
      metadata: 'none',
      gps: false,
      retention: 24,
    });
  });

  it('accepts the engine of a custom model', () => {
    expect(parseRecipe([['engine', ' Custom:my-model-2 ']]).engine).toBe('custom:my-model-2');
  });

  it.each(['custom:', 'custom:../photo', 'custom:a_b', `custom:${'a'.repeat(41)}`, 'customs:a', 'my custom:a'])(
    'rejects the engine %s',
    (engine) => {
      expect(codeOf([['engine', engine]])).toMatchObject({ code: 'invalid_parameter', param: 'engine' });
    },
  );

  it.each(['scaleFactor', 'scale', 'scale_factor', 'factor', 'x'])('accepts the scale factor as %s', (name) => {
    expect(parseRecipe([[name, '3.5']]).scaleFactor).toBe(3.5);
  });

  it.each([
    ['1.3333333333', 1.333333],
    [String(4 / 3), 1.333333],
    ['4/3', 1.333333],
    ['1.5/2', 0.75],
    ['1.9999999', 2],
  ])('rounds a scale factor of %s to 6 decimal places', (text, expected) => {
    expect(parseRecipe([['scale', text]]).scaleFactor).toBe(expected);
  });

  it.each([
    ['scale', '0200'],
    ['scale', ' 1e9'],
    ['format', ' TGA '],
    ['background', '#12345'],
    ['width', '0999999'],
  ])('reports %s=%s in "got" as it was sent', (name, value) => {
    expect(codeOf([[name, value]])).toMatchObject({ got: value });
  });

  it('accepts aliases with the same value and rejects different values', () => {
    expect(
      parseRecipe([
        ['scale', '4'],
        ['x', '4.0'],
      ]).scaleFactor,
    ).toBe(4);
    expect(
      codeOf([
        ['scale', '4'],
        ['x', '3'],
      ]),
    ).toMatchObject({ code: 'conflicting_params', param: 'x' });
  });

  it.each([
    ['scaleFactor', '0'],
    ['scaleFactor', '128.01'],
    ['width', '0'],
    ['width', '10.5'],
    ['fit', 'stretch'],
    ['megapixels', '513'],
    ['targetBytes', '10'],
    ['grain', '101'],
    ['grain', '2.5'],
    ['edges', 'mirror'],
    ['alpha', 'straight'],
    ['detail', 'sharp'],
    ['strength', '101'],
    ['strength', '-1'],
    ['print_profile', '../press'],
    ['print_profile', '.press'],
    ['print_profile', ''],
    ['width', '800/2'],
    ['scale', '4/0'],
    ['scale', '0/4'],
    ['scale', '4/3/2'],
    ['scale', '0.0000001'],
    ['background', 'red'],
    ['background', '#ffff'],
    ['metadata', 'some'],
    ['gps', 'maybe'],
    ['retention', '25'],
    ['scale', 'four'],
    ['scaleFactor', ''],
    ['scaleFactor', '1e1'],
    ['scaleFactor', 'NaN'],
    ['format', 'tga'],
    ['quality', '0'],
    ['quality', '101'],
    ['quality', '9.5'],
    ['engine', 'magic'],
    ['widht', '3'],
    ['__proto__', '3'],
    ['toString', '3'],
  ])('rejects %s=%s and names the field', (name, value) => {
    expect(codeOf([[name, value]])).toMatchObject({ code: 'invalid_parameter', param: name });
  });

  it('rejects a repeated field', () => {
    expect(
      codeOf([
        ['quality', '90'],
        ['quality', '90'],
      ]),
    ).toMatchObject({ code: 'invalid_parameter', param: 'quality' });
  });

  it.each([
    ['long_side', '1200', { longSide: 1200 }],
    ['short-side', '600', { shortSide: 600 }],
    ['megapixels', '2.5', { megapixels: 2.5 }],
    ['max_bytes', '200000', { targetBytes: 200_000, scaleFactor: 2 }],
    ['grain', '25', { grain: 25, scaleFactor: 2 }],
    ['edges', 'Wrap', { edges: 'wrap' }],
    ['alpha', 'data', { alpha: 'data' }],
    ['engine', 'nearest', { engine: 'nearest' }],
    ['print-profile', 'PSO_v3', { printProfile: 'pso_v3' }],
    ['strength', '40', { strength: 40, engine: 'auto' }],
    ['detail', 'Crisp', { detail: 'crisp', engine: 'auto' }],
    ['background', '0Af', { background: '#00aaff' }],
    ['format', 'TIF', { format: 'tiff' }],
  ])('parses %s=%s', (name, value, expected) => {
    expect(parseRecipe([[name, value]])).toMatchObject(expected);
  });

  it('rejects values that would have no effect', () => {
    expect(codeOf([['fit', 'cover']])).toMatchObject({ code: 'conflicting_params', param: 'fit' });
    const half: [string, string][] = [
      ['fit', 'cover'],
      ['width', '9'],
    ];
    expect(codeOf(half)).toMatchObject({ code: 'conflicting_params', param: 'fit' });
    expect(codeOf([['gps', 'yes']])).toMatchObject({ code: 'conflicting_params', param: 'gps' });
    const resized: [string, string][] = [
      ['detail', 'crisp'],
      ['engine', 'standard'],
    ];
    expect(codeOf(resized)).toMatchObject({ code: 'conflicting_params', param: 'detail' });
    const kept: [string, string][] = [
      ['gps', 'Yes'],
      ['metadata', 'all'],
    ];
    expect(parseRecipe(kept)).toMatchObject({ gps: true, metadata: 'all' });
  });

  it('omits the default scale factor when a size is set', () => {
    expect(parseRecipe([['width', '800']])).not.toHaveProperty('scaleFactor');
  });

  it('accepts width with height and rejects any other pair of sizes', () => {
    const box: [string, string][] = [
      ['width', '800'],
      ['height', '600'],
    ];
    expect(parseRecipe(box)).toMatchObject({ width: 800, height: 600, fit: 'fit' });
    expect(codeOf([...box, ['scale', '2']])).toMatchObject({ code: 'conflicting_params' });
    expect(
      codeOf([
        ['longSide', '800'],
        ['megapixels', '2'],
      ]),
    ).toMatchObject({ code: 'conflicting_params', param: 'megapixels' });
  });
});
