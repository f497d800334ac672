import { queryOptions, useQuery } from '@tanstack/react-query';
import type { OpenApiDocument } from '#shared/openapi/types.ts';
import { Read } from '../../components/states/read.tsx';
import { request } from '../../lib/http.ts';
import { queries } from '../../lib/queries.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Limits } from './limits.tsx';
import { Machines } from './machines.tsx';
import { InWallets, QuickStart } from './quick-start.tsx';
import { Reference } from './reference.tsx';
import { SignIn } from './sign-in.tsx';

const openApi = queryOptions({
  queryKey: ['/api/openapi.json'],
  queryFn: ({ signal }) => request<OpenApiDocument>('GET /api/openapi.json', { signal }),
});

export function DevelopersPage() {
  const preview = useQuery(queries.previewProjects());
  const origin = useSiteConfig()?.origin ?? '';
  const project = preview.data?.[0];
  const samples = { origin, project: project?.slug ?? '1' };
  return (
    <div className="page grid gap-6 py-4 md:py-6">
      <header className="grid gap-1">
        <h1 className="text-2xl md:text-4xl">Developers</h1>
        <p className="text-muted md:text-lg">Every public figure as JSON, CSV and Atom, without a key.</p>
      </header>
      <QuickStart origin={origin} project={project} />
      <Machines origin={origin} />
      <div className="grid">
        <InWallets origin={origin} />
        <Limits />
        <SignIn origin={origin} />
      </div>
      <Read of={openApi} skeleton="h-96 w-full rounded-xl">
        {(document) => <Reference document={document} samples={samples} />}
      </Read>
    </div>
  );
}
