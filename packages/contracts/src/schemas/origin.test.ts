import { describe, expect, it } from 'vitest';
import { limits } from '../policy/limits.ts';
import { keyOriginsSchema } from './origin.ts';

const parse = (...origins: string[]) => keyOriginsSchema.safeParse(origins);

describe('keyOriginsSchema', () => {
  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]',
  ])('accepts %s', (origin) => expect(parse(origin).data).toEqual([origin]));

  it.each([
    'http://shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    'https://shop.example:443',
    'https://Shop.example',
    'https://*.example',
    'https://user@shop.example',
    'shop.example',
    'chrome-extension://abc',
    'null',
    '*',
    '',
  ])('rejects %j', (origin) => expect(parse(origin).error?.issues[0]?.message).toMatch(/^Each origin must be/));

  it('keeps each origin once, and limits their number', () => {
    expect(parse('https://a.example', ' https://a.example').data).toEqual(['https://a.example']);
    const many = Array.from({ length: limits.apiKeyOrigins + 1 }, (_, index) => `https://${index}.example`);
    expect(parse(...many.slice(1)).success).toBe(true);
    expect(parse(...many).success).toBe(false);
  });
});
