import { useEffect, useState } from 'react';

/** Only sections that cross a line in the upper third of the window count. */
const rootMargin = '-30% 0px -69% 0px';

/** The id of the section that is being read; the first one initially. */
export function useVisibleSection<Part extends string>(parts: readonly Part[]): Part | undefined {
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
