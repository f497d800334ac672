import { BookOpen } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { plural } from '#shared/plural.ts';
import type { OpenApiDocument } from '#shared/openapi/types.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { EndpointEntry } from './endpoint-entry.tsx';
import { groupsOf, searchGroups } from './endpoints.ts';
import type { Samples } from './examples.ts';

/** Every endpoint of the OpenAPI document, by group, with a search. */
export function Reference({ document, samples }: { document: OpenApiDocument; samples: Samples }) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  const groups = searchGroups(groupsOf(document), wanted);
  const count = groups.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <Card aria-labelledby="reference" className="grid grid-cols-1 gap-6">
      <CardTitle id="reference" icon={<BookOpen aria-hidden size={20} className="text-link" />}>
        Every endpoint
      </CardTitle>
      <Field label="Search the endpoints" hint={<output>{plural(count, 'endpoint')}</output>}>
        {(control) => (
          <Input
            {...control}
            type="search"
            placeholder="reviews, GET, cursor …"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
      </Field>
      {groups.map(({ name, title, about, endpoints }) => (
        <section key={name} aria-labelledby={`group-${name}`} className="grid grid-cols-1 gap-3">
          <h3 id={`group-${name}`} className="text-lg">
            {title}
          </h3>
          {about ? <p className="text-sm text-muted">{about}</p> : null}
          <ul className="grid grid-cols-1 gap-2">
            {endpoints.map((listed) => (
              <EndpointEntry
                key={listed.operation.operationId}
                listed={listed}
                samples={samples}
                components={document.components}
              />
            ))}
          </ul>
        </section>
      ))}
      {count === 0 ? <EmptyState title="No endpoint matches">Try a shorter word, or part of a path.</EmptyState> : null}
    </Card>
  );
}
