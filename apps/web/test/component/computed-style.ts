/** Of elements without a style of their own, by tag name. */
const displays = new Map<string, string>();
/** Pages that were already patched. Test files share a page. */
const pages = new WeakSet<Window>();

/**
 * Replaces `getComputedStyle` with a function that derives `display` and `visibility` from classes. Testing Library
 * checks the visibility of thousands of elements. For each check, happy-dom would match all rules for the element and
 * its ancestors.
 */
export function speedUpComputedStyles(): void {
  const page = document.defaultView as Window;
  if (pages.has(page)) return;
  pages.add(page);
  const compute = page.getComputedStyle.bind(page);
  const displayOf = (element: Element): string => {
    if (element.classList.contains('hidden')) return 'none';
    if (element.hasAttribute('style') || element.hasAttribute('hidden')) return compute(element).display;
    const { tagName } = element;
    const known = displays.get(tagName) ?? compute(element).display;
    displays.set(tagName, known);
    return known;
  };
  const visibilityOf = (element: Element): string => {
    if (element.closest('.invisible')) return 'hidden';
    return element.closest('[style*="visibility"]') ? compute(element).visibility : 'visible';
  };
  const read = (element: Element, name: string | symbol): unknown => {
    if (name === 'display') return displayOf(element);
    if (name === 'visibility') return visibilityOf(element);
    if (name === 'getPropertyValue') return (property: string) => read(element, property);
    return Reflect.get(compute(element), name);
  };
  const getComputedStyle = (element: Element) =>
    new Proxy({} as CSSStyleDeclaration, { get: (_, name) => read(element, name) });
  for (const target of [page, globalThis]) Object.assign(target, { getComputedStyle });
}
