import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type Auth, AuthContext, useAuth } from './auth-context.ts';

function Who() {
  return useAuth().user?.email ?? 'nobody';
}

it('is of no use outside its provider, and says so', () => {
  expect(() => renderToString(createElement(Who))).toThrow('useAuth must be used within an AuthProvider');
});

it('tells who is signed in inside of it', () => {
  const value = { user: null } as Auth;
  expect(renderToString(createElement(AuthContext, { value }, createElement(Who)))).toBe('nobody');
});
