// cspell:disable
import { expect, it } from 'vitest';
import { articleLimits } from '../policy/articles.ts';
import { makeSlug } from './make-slug.ts';

it.each([
  ['How upscaling works', 'how-upscaling-works'],
  ['  Naïve café: 4x & more!  ', 'naive-cafe-4x-more'],
  ["It's ß", 'its-ss'],
  ['A.B_C', 'a-b-c'],
  ['!?', ''],
  ['😀', ''],
  ['Как увеличить фото', 'kak-uvelichit-foto'],
  ['Як збільшити її', 'yak-zbilshiti-yiyi'],
  ['Πώς μεγαλώνουμε εικόνες', 'pos-megalonoyme-eikones'],
  ['Phóng to ảnh bằng đường nét', 'phong-to-anh-bang-duong-net'],
  ['Größe ändern: Łódź, Øre, İzmir', 'grosse-andern-lodz-ore-izmir'],
  ['如何放大图片', 'ru-he-fang-da-tu-pian'],
  ['写真を拡大する', 'xie-zhen-wokuo-da-suru'],
  ['사진 확대', 'sajin-hwagdae'],
  ['ﬁne ½', 'fine-1-2'],
])('turns %j into %j', (title, slug) => {
  expect(makeSlug(title)).toBe(slug);
});

it('is no longer than a slug may be, and ends with no hyphen', () => {
  const slug = makeSlug('ab '.repeat(articleLimits.slugLength));
  expect(slug.length).toBeLessThanOrEqual(articleLimits.slugLength);
  expect(slug).toMatch(/b$|a$/);
});
