import { routes } from '@uprez/contracts/endpoints/routes';
import { useEffect, useRef } from 'react';
import { fixAccessibility } from './fix-accessibility.ts';
import { openReference } from './open-reference.ts';

export function Reference({ isDark }: { isDark: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    // Scalar removes the element that it was mounted on.
    const element = place.current.appendChild(document.createElement('div'));
    const endMending = fixAccessibility(place.current);
    const close = openReference(element, { url: routes.v1OpenApi.path, address: window.location.origin, isDark });
    return () => {
      close();
      endMending();
    };
  }, [isDark]);
  return <div ref={place} />;
}
