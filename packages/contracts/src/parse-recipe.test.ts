import { describe, expect, test } from 'vitest';
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
  test('fills in the defaults', () => {
    expect(parseRecipe([])).toEqual({ scaleFactor: 2, format: 'png', quality: 95, engine: 'auto' });
  });

  test.each(['scaleFactor', 'scale', 'scale_factor', 'factor', 'x'])('takes the factor as %s', (name) => {
    expect(parseRecipe([[name, '3.5']]).scaleFactor).toBe(3.5);
  });

  test('takes two spellings that agree and refuses two that do not', () => {
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

  test.each([
    ['scaleFactor', '0.5'],
    ['scaleFactor', '9'],
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
  ])('refuses %s=%s and names the field', (name, value) => {
    expect(codeOf([[name, value]])).toMatchObject({ code: 'invalid_parameter', param: name });
  });

  test('refuses a repeated field', () => {
    expect(
      codeOf([
        ['quality', '90'],
        ['quality', '90'],
      ]),
    ).toMatchObject({ code: 'invalid_parameter', param: 'quality' });
  });
});
