import type { JsonSchema, Parameter } from '#shared/openapi/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { LateFold } from '../../ui/late-fold.tsx';
import { CodeBlock } from './code-block.tsx';
import type { Listed } from './endpoints.ts';
import { curlOf, type Samples } from './examples.ts';

function kindOf(schema: JsonSchema): string {
  const { enum: options, maximum, default: usual, type } = schema;
  const kind = options ? options.join(' | ') : String(type ?? 'text');
  return [
    kind,
    ...(maximum === undefined || maximum > 1e9 ? [] : [`at most ${maximum}`]),
    ...(usual === undefined ? [] : [`${JSON.stringify(usual)} by default`]),
  ].join(', ');
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">Parameters</h3>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
        {parameters.map(({ name, in: where, description, required, schema }) => (
          <div key={name} className="contents">
            <dt className="font-mono text-sm">
              {name} <span className="font-sans text-faint">{where}</span>
            </dt>
            <dd className="text-sm text-muted">
              {description ? `${description}. ` : ''}
              {kindOf(schema)}
              {required ? '' : ', optional'}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Statuses({ listed: { operation } }: { listed: Listed }) {
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">Responses</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {Object.entries(operation.responses).map(([status, { description, headers }]) => (
          <div key={status} className="contents">
            <dt className="font-mono text-sm">{status}</dt>
            <dd className="text-sm text-muted">
              {description}
              {headers ? ` (${Object.keys(headers).join(', ')})` : ''}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface EntryProps {
  listed: Listed;
  samples: Samples;
}

export function EndpointEntry({ listed, samples }: EntryProps) {
  const { method, path, operation } = listed;
  return (
    <li id={operation.operationId}>
      <LateFold
        className="rounded-lg border border-line"
        summaryClass="grid min-h-11 cursor-pointer gap-1 rounded-lg p-3 transition-colors hover:bg-raised sm:px-4"
        summary={
          <>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Badge tone="accent">{method}</Badge>
              <code className="font-mono text-sm font-semibold wrap-anywhere">{path}</code>
            </span>
            <span className="text-sm text-muted">{operation.summary}</span>
          </>
        }
      >
        <div className="grid gap-5 border-t border-line p-4">
          <p className="text-sm text-muted">{operation.description}</p>
          {operation.parameters.length > 0 ? <Parameters parameters={operation.parameters} /> : null}
          <Statuses listed={listed} />
          <CodeBlock code={curlOf(listed, samples)} name="the call" />
        </div>
      </LateFold>
    </li>
  );
}
