import { anchors } from '../../site-map.ts';
import { Evidence } from './evidence.tsx';
import { FactGrid } from './fact-grid.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';
import { SiteNumbers } from './site-numbers.tsx';

/** What the product does, with what shows it. */
export function FeaturesSection() {
  return (
    <LandingSection id={anchors.features} title={landingMessages.features.title}>
      <div className="grid gap-12">
        <Evidence />
        <FactGrid />
        <SiteNumbers />
      </div>
    </LandingSection>
  );
}
