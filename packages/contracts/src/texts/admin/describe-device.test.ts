import { expect, test } from 'vitest';
import { describeDevice } from './describe-device.ts';

test('returns known names only', () => {
  expect(describeDevice('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0')).toBe(
    'Firefox on Linux',
  );
  expect(describeDevice('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140')).toBe(
    'Edge on Windows',
  );
  expect(describeDevice('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toBe(
    'Safari on iPhone',
  );
  expect(describeDevice('<a href="http://evil.example">click</a>')).toBe('Unknown browser');
  expect(describeDevice(null)).toBe('Unknown browser');
});
