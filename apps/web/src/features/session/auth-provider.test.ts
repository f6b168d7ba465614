import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type Auth, AuthContext, useAuth } from './auth-provider.tsx';

function Who() {
  return useAuth().user?.email ?? 'nobody';
}

it('throws outside of its provider', () => {
  expect(() => renderToString(createElement(Who))).toThrow('useAuth must be used within an AuthProvider');
});

it('returns the signed-in user inside of its provider', () => {
  const value = { user: null } as Auth;
  expect(renderToString(createElement(AuthContext, { value }, createElement(Who)))).toBe('nobody');
});
