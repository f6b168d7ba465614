import { productName } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

/** Every primitive in each of its states, for those who build the site. */
export function DevUiPage() {
  return (
    <div className="mx-auto w-full max-w-300 px-4 py-8 sm:px-6">
      <PageHeading title={productName}>{productName}</PageHeading>
    </div>
  );
}
