import type { OpenApiDocument } from '#shared/openapi/types.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { EndpointEntry } from './endpoint-entry.tsx';
import { openEndpoints } from './endpoints.ts';
import type { Samples } from './examples.ts';

export function Reference({ document, samples }: { document: OpenApiDocument; samples: Samples }) {
  return (
    <Card aria-labelledby="reference" className="grid grid-cols-1 gap-4">
      <CardTitle id="reference">Open endpoints</CardTitle>
      <p className="text-sm text-muted">
        The{' '}
        <a href="/api/openapi.json" className="text-link underline underline-offset-4">
          OpenAPI document
        </a>{' '}
        also has those of this page and of the admin panel.
      </p>
      <ul className="grid grid-cols-1 gap-2">
        {openEndpoints(document).map((listed) => (
          <EndpointEntry key={listed.operation.operationId} listed={listed} samples={samples} />
        ))}
      </ul>
    </Card>
  );
}
