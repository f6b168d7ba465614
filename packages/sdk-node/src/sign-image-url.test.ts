import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signImageUrl } from './sign-image-url.ts';

const key = { keyId: '0123456789abcdef', secret: 'upz_img_secret', baseUrl: 'https://uprez.example/' };

it('signs options and the original of an image URL', () => {
  const url = signImageUrl(
    {
      url: 'https://images.example/ü.jpg?a=1',
      width: 800,
      fit: undefined,
      background: '#ffffff',
      gps: false,
      expiresAt: new Date(1_800_000_000_500),
    } as Parameters<typeof signImageUrl>[0],
    key,
  );
  const [signature = '', options, source = '', ...rest] = url.replace('https://uprez.example/v1/img/', '').split('/');
  expect(rest).toEqual([]);
  expect(options).toBe('k:0123456789abcdef,width:800,background:ffffff,gps:false,exp:1800000000');
  expect(Buffer.from(source, 'base64url').toString()).toBe('https://images.example/ü.jpg?a=1');
  const expected = createHmac('sha256', key.secret).update(`/${options}/${source}`).digest('base64url');
  expect(signature).toBe(expected);
});

it('throws not_configured without a secret', () => {
  const { secret: _, ...incomplete } = key;
  expect(() => signImageUrl({ url: 'https://images.example/a.jpg' }, incomplete)).toThrow(
    expect.objectContaining({ code: 'not_configured' }),
  );
});
