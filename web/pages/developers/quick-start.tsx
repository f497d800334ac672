import { ATOM_PATH } from '#shared/site/pages.ts';
import type { Project } from '#shared/contract/types.ts';
import { CodeBlock } from '../../components/values/code-block.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Fold } from '../../ui/fold.tsx';

const FILES = [
  [
    '/api/v1/leaderboard.csv',
    'The leaderboard as CSV',
    'For spreadsheets; add ?day=2026-01-31 for the end of an earlier day',
  ],
  [
    '/api/v1/leaderboard.json',
    'The leaderboard as JSON',
    'The same figures, with intervals, verified votes and those of the last 30 days',
  ],
  ['/api/v1/projects?sort=verified&limit=10', 'Projects as JSON', 'With search, categories and every order, in pages'],
  ['/api/openapi.json', 'OpenAPI document', 'Makes typed clients, with openapi-typescript for example'],
  [ATOM_PATH, 'Atom feed', 'New listings and reviews, for feed readers'],
  ['/log/checkpoint', 'The public record', 'The signed end of a log of all votes, in the format of C2SP tlog-tiles'],
] as const;

/** Some members of the response, which has more. */
const responseOf = ({ slug, bullishCount, bearishCount, verified }: Project): string => `{
  "slug": "${slug}",
  "bullishCount": ${bullishCount},
  "bearishCount": ${bearishCount},
  "verified": {
    "bullish": ${verified.bullish},
    "bearish": ${verified.bearish}
  }, …
}`;

interface QuickStartProps {
  origin: string;
  project: Project | undefined;
}

export function QuickStart({ origin, project }: QuickStartProps) {
  const path = project ? `projects/${project.slug}` : 'leaderboard.csv';
  return (
    <Card aria-labelledby="quick-start">
      <CardTitle id="quick-start">Read without a key</CardTitle>
      <div className="grid gap-x-12 gap-y-4 lg:grid-cols-2">
        <div className="grid content-start gap-3">
          <CodeBlock
            code={`curl '${origin}/api/v1/${path}'`}
            label="the first call"
            response={project && responseOf(project)}
          />
          <p className="text-muted">Everything under /api/v1 is open to programs and to pages of every site (CORS).</p>
        </div>
        <ul className="-mt-2.5 grid content-start gap-x-10 gap-y-1 sm:grid-cols-2">
          {FILES.map(([href, name, text]) => (
            <li key={href} className="grid content-start">
              <a
                href={href}
                className="inline-flex min-h-11 items-center justify-self-start text-link underline underline-offset-4"
              >
                {name}
              </a>
              <span className="-mt-1.5 text-sm text-muted">{text}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

const wallet = (origin: string): string => `const coin = encodeURIComponent(coinType); // 0x2::sui::SUI
const response = await fetch(\`${origin}/api/v1/lookup?coin=\${coin}\`);
const { line, url } = response.ok ? await response.json() : { line: 'Not rated', url: null };`;

export function InWallets({ origin }: { origin: string }) {
  return (
    <Fold id="wallets" title="In a wallet or an explorer">
      <div className="grid gap-4">
        <p className="max-w-prose text-muted">
          One line about a coin, by its type or package; a call may name up to 100 coins. A coin also has a page
          (/coins/…), a badge (/badge/coin/….svg) and a card (/embed/coin/…).
        </p>
        <CodeBlock code={wallet(origin)} label="the call of a wallet" />
      </div>
    </Fold>
  );
}
