import { BookOpen, ChevronDown } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { plural } from '#shared/plural.ts';
import type { OpenApiDocument } from '#shared/openapi/types.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { EndpointEntry } from './endpoint-entry.tsx';
import { type Group, groupsOf, searchGroups } from './endpoints.ts';
import type { Samples } from './examples.ts';

interface GroupProps {
  group: Group;
  isOpen: boolean;
  samples: Samples;
  components: OpenApiDocument['components'];
}

/** The endpoints of one subject, folded under its name. */
function EndpointGroup({ group: { name, title, about, endpoints }, isOpen, samples, components }: GroupProps) {
  return (
    <section aria-labelledby={`group-${name}`}>
      <details open={isOpen} className="group">
        <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
          <h3 id={`group-${name}`} className="text-lg">
            {title}
          </h3>
          <span className="text-sm text-faint">{endpoints.length}</span>
          <ChevronDown
            aria-hidden
            size={18}
            className="ml-auto shrink-0 text-faint transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-3 pt-1">
          {about ? <p className="text-sm text-muted">{about}</p> : null}
          <ul className="grid grid-cols-1 gap-2">
            {endpoints.map((listed) => (
              <EndpointEntry
                key={listed.operation.operationId}
                listed={listed}
                samples={samples}
                components={components}
              />
            ))}
          </ul>
        </div>
      </details>
    </section>
  );
}

/** Every endpoint of the OpenAPI document, by group, with a search. */
export function Reference({ document, samples }: { document: OpenApiDocument; samples: Samples }) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  const groups = searchGroups(groupsOf(document), wanted);
  const count = groups.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <Card aria-labelledby="reference" className="grid grid-cols-1 gap-4">
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
      {groups.map((group, place) => (
        // A search, and the open API, which comes first, are unfolded.
        <EndpointGroup
          key={`${group.name} ${wanted.trim() !== ''}`}
          group={group}
          isOpen={place === 0 || wanted.trim() !== ''}
          samples={samples}
          components={document.components}
        />
      ))}
      {count === 0 ? <EmptyState title="No endpoint matches">Try a shorter word, or part of a path.</EmptyState> : null}
    </Card>
  );
}
