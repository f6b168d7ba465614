import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { adminGroups } from './admin-links.ts';
import { AdminSidebar } from './admin-sidebar.tsx';

/** The labels of the groups that are highlighted at a path. */
function currentGroups(path: string): (string | undefined)[] {
  const sidebar = createElement(MemoryRouter, { initialEntries: [path] }, createElement(AdminSidebar));
  const marked = renderToStaticMarkup(sidebar).matchAll(/<p[^>]*aria-current="true"[^>]*>([^<]*)</g);
  return [...marked].map(([, label]) => label);
}

it('highlights the group of the current page, for each of its links', () => {
  for (const { label, links } of adminGroups) for (const { to } of links) expect(currentGroups(to)).toEqual([label]);
  expect(currentGroups('/admin/other')).toEqual([]);
});
