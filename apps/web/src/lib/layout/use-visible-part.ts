import { useEffect, useState } from 'react';

/** Only what crosses a line in the upper third of the window counts. */
const rootMargin = '-30% 0px -69% 0px';

/** The part of the page that is being read, by the id of its element; the first at the beginning. */
export function useVisiblePart<Part extends string>(parts: readonly Part[]): Part | undefined {
  const [visible, setVisible] = useState<Part>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find(({ isIntersecting }) => isIntersecting)?.target.id;
        if (entered) setVisible(parts.find((part) => part === entered));
      },
      { rootMargin },
    );
    for (const part of parts) {
      const section = document.getElementById(part);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [parts]);
  return visible && parts.includes(visible) ? visible : parts[0];
}
