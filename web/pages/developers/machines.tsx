import { useQuery } from '@tanstack/react-query';
import type { RecordSummary } from '#shared/contract/record.ts';
import { queries } from '../../lib/queries.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { CodeBlock } from '../../components/values/code-block.tsx';

const LINK = 'inline-flex min-h-11 items-center text-link underline underline-offset-4';

/** The newest day that is published to its end: it has a file of its votes. */
const wholeDayOf = ({ checkpoints }: RecordSummary): string | undefined =>
  checkpoints.find(({ until }) => until.endsWith('T00:00:00.000Z'))?.day;

/** Doors for agents and for analysts (R93). */
export function Machines({ origin }: { origin: string }) {
  const { data } = useQuery(queries.record());
  const day = data && wholeDayOf(data);
  return (
    <Card aria-labelledby="machines" className="grid gap-2">
      <CardTitle id="machines">For agents and analysts</CardTitle>
      <p className="max-w-prose text-muted">
        Five read-only tools by the Model Context Protocol: lookup, project, leaderboard, trend, trust. No key, no
        session.
      </p>
      <CodeBlock
        code={JSON.stringify({ mcpServers: { snapswipe: { type: 'http', url: `${origin}/mcp` } } }, null, 2)}
        label="the address of the tools"
      />
      <ul className="flex flex-wrap gap-x-6">
        <li>
          <a href="/llms.txt" className={LINK}>
            llms.txt
          </a>
        </li>
        {day ? (
          <li>
            <a href={`/log/votes/${day}`} className={LINK}>
              The votes of a day as CSV
            </a>
          </li>
        ) : null}
      </ul>
    </Card>
  );
}
