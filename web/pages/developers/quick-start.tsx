import type { ReactNode } from 'react';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { CodeBlock } from './code-block.tsx';

const FILES = [
  [
    '/api/v1/leaderboard.csv',
    'The leaderboard as CSV',
    'For spreadsheets; add ?day=2026-01-31 for the end of an earlier day',
  ],
  ['/api/v1/projects?sort=verified&limit=10', 'Projects as JSON', 'With search, categories and every order, in pages'],
  [
    '/api/v1/leaderboard.json',
    'The leaderboard as JSON',
    'The same figures, with intervals, verified votes and those of the last 30 days',
  ],
  [ATOM_PATH, 'Atom feed', 'New listings and reviews, for feed readers'],
  ['/api/openapi.json', 'OpenAPI document', 'Makes typed clients, with openapi-typescript for example'],
  ['/log/checkpoint', 'The public record', 'The signed end of a log of all votes, in the format of C2SP tlog-tiles'],
] as const;

function File({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  return (
    <li className="grid gap-0.5">
      <a
        href={href}
        className="inline-flex min-h-11 items-center justify-self-start text-link underline underline-offset-4"
      >
        {name}
      </a>
      <span className="text-sm text-muted">{children}</span>
    </li>
  );
}

const wallet = (origin: string): string => `const coin = encodeURIComponent(coinType); // 0x2::sui::SUI
const response = await fetch(\`${origin}/api/v1/lookup?coin=\${coin}\`);
const { line, url } = response.ok ? await response.json() : { line: 'Not rated', url: null };`;

export function QuickStart({ origin }: { origin: string }) {
  return (
    <Card aria-labelledby="quick-start" className="grid grid-cols-1 content-start gap-4">
      <CardTitle id="quick-start">Read without a key</CardTitle>
      <p className="text-muted">
        A wallet or an explorer asks by coin type or package, and shows one line; a call may name up to 100 coins. A
        coin also has a page (/coins/…), a badge (/badge/coin/….svg) and a card (/embed/coin/…).
      </p>
      <CodeBlock code={wallet(origin)} name="the call of a wallet" />
      <p className="text-muted">
        Everything under /api/v1 is open to programs and to pages of every site (CORS). Try it:
      </p>
      <CodeBlock code={`curl '${origin}/api/v1/leaderboard.csv'`} name="the first call" />
      <ul className="grid gap-2">
        {FILES.map(([href, name, text]) => (
          <File key={href} href={href} name={name}>
            {text}
          </File>
        ))}
      </ul>
    </Card>
  );
}
