import { Documentation } from '../features/documentation/documentation.tsx';
import { useAuth } from '../features/session/auth-provider.tsx';

export function DocumentationPage() {
  const { user } = useAuth();
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6 sm:py-10">
      <Documentation user={user} />
    </div>
  );
}
