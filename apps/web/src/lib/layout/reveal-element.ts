/** Scrolls to an element if its top is hidden by a sticky header or in the lower half of the window. */
export function revealElement(element: Element | null): void {
  if (!element) return;
  const { top } = element.getBoundingClientRect();
  const hidden = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (top < hidden || top > window.innerHeight / 2) element.scrollIntoView();
}
