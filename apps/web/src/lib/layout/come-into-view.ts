/** Scroll to an element whose top is out of sight: hidden by what sticks to the window's top, or low on the screen. */
export function comeIntoView(element: Element | null): void {
  if (!element) return;
  const { top } = element.getBoundingClientRect();
  const hidden = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (top < hidden || top > window.innerHeight / 2) element.scrollIntoView();
}
