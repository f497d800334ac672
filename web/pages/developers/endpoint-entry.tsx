import type { JsonSchema, Parameter } from '#shared/openapi/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { LateFold } from '../../ui/late-fold.tsx';
import { CodeBlock } from '../../components/values/code-block.tsx';
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

interface TermsProps {
  title: string;
  terms: ReadonlyArray<{ name: string; where?: string; text: string }>;
}

function Terms({ title, terms }: TermsProps) {
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">{title}</h3>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
        {terms.map(({ name, where, text }) => (
          <div key={name} className="contents">
            <dt className="font-mono text-sm">
              {name} <span className="font-sans text-faint">{where}</span>
            </dt>
            <dd className="text-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const parameterTerm = ({ name, in: where, description, required, schema }: Parameter) => ({
  name,
  where,
  text: `${description ? `${description}. ` : ''}${kindOf(schema)}${required ? '' : ', optional'}`,
});

const statusTerms = ({ responses }: Listed['operation']) =>
  Object.entries(responses).map(([name, { description, headers }]) => ({
    name,
    text: `${description}${headers ? ` (${Object.keys(headers).join(', ')})` : ''}`,
  }));

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
          {operation.parameters.length > 0 ? (
            <Terms title="Parameters" terms={operation.parameters.map(parameterTerm)} />
          ) : null}
          <Terms title="Responses" terms={statusTerms(operation)} />
          <CodeBlock code={curlOf(listed, samples)} label="the call" />
        </div>
      </LateFold>
    </li>
  );
}
