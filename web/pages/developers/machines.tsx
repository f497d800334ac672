import { Bot } from 'lucide-react';
import { useState } from 'react';
import { Card, CardTitle } from '../../ui/card.tsx';
import { CodeBlock } from './code-block.tsx';

const LINK = 'inline-flex min-h-11 items-center text-link underline underline-offset-4';

/** A day whose file of votes exists, where the site publishes its record: the day before yesterday. */
const votesDay = (nowMs: number): string => new Date(nowMs - 2 * 86_400_000).toISOString().slice(0, 10);

/** Doors for agents and for analysts (R93). */
export function Machines({ origin }: { origin: string }) {
  const [day] = useState(() => votesDay(Date.now()));
  return (
    <Card aria-labelledby="machines" className="grid grid-cols-1 content-start gap-4">
      <CardTitle id="machines" icon={<Bot aria-hidden size={20} className="text-link" />}>
        For agents and analysts
      </CardTitle>
      <p className="text-muted">
        Five read-only tools by the Model Context Protocol: lookup, project, leaderboard, trend, trust. No key, no
        session.
      </p>
      <CodeBlock
        code={JSON.stringify({ mcpServers: { snapswipe: { type: 'http', url: `${origin}/mcp` } } }, null, 2)}
        name="the address of the tools"
      />
      <ul className="grid gap-x-6 sm:flex sm:flex-wrap">
        <li>
          <a href="/llms.txt" className={LINK}>
            llms.txt
          </a>
        </li>
        <li>
          <a href={`/log/votes/${day}`} className={LINK}>
            The votes of a day as CSV
          </a>
        </li>
      </ul>
    </Card>
  );
}
