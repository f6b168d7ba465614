import { expect, test } from '@playwright/test';
import { findLowContrast } from './support/find-low-contrast.ts';

/** Each element says whether its text can be read. */
const body = `<body style="background: white; color: black">
  <p style="color: #999">pale</p>
  <p style="color: #666">dark enough</p>
  <p style="color: #888; font-size: 32px">large enough</p>
  <p style="color: #bbb; font-size: 32px">large and pale</p>
  <section style="background: rgb(0 0 0 / 50%)"><p style="color: #444">on a translucent ground</p></section>
  <div style="opacity: 0.4"><p>faded</p></div>
  <button style="background: navy; color: #222">nested</button>
  <button disabled style="color: #ddd">disabled</button>
  <p aria-hidden="true" style="color: #ddd">hidden from readers</p>
  <p style="color: #ddd; visibility: hidden">invisible</p>
  <input value="typed" style="background: white; color: #aaa">
  <svg width="90" height="30"><text y="20" fill="#ccc">drawn</text></svg>
</body>`;

test('the search for low contrast finds texts that can hardly be read, and no others', async ({ page }) => {
  await page.setContent(body);
  const found = (await findLowContrast(page)).map((line) => /"(.*)"/.exec(line)?.[1]);
  const unreadable = ['pale', 'large and pale', 'on a translucent ground', 'faded', 'nested', 'typed', 'drawn'];
  expect(found.toSorted()).toEqual(unreadable.toSorted());
});

test('the search for low contrast fails on a page whose background it cannot compare', async ({ page }) => {
  await page.setContent('<body style="background: linear-gradient(white, black)"><p>text</p></body>');
  expect(await findLowContrast(page)).toEqual(['no text has a background that is a color']);
});
