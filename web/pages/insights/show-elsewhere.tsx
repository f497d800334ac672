import { isolated } from '#shared/text/isolated.ts';
import { useState } from 'react';
import type { Insights } from '#shared/contract/insights.ts';
import { CopySnippet } from '../../components/listing/copy-snippet.tsx';
import {
  BADGE_SIZE,
  badgeHtml,
  badgeMarkdown,
  badgePath,
  coinBadgeHtml,
  EMBED_SIZE,
  embedHtml,
  embedPath,
  sharedLink,
  type SnippetTheme,
} from '../../components/listing/snippets.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const THEMES: readonly { value: SnippetTheme; label: string }[] = [
  { value: 'auto', label: "Match the reader's theme" },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** A coin that a lister typed may belong to another listing: its badge would show that one. */
const coinOf = ({ coinType, listing }: Insights['project']): string | null =>
  listing.coinSource === 'lister' ? null : coinType;

export function ShowElsewhere({ project }: { project: Insights['project'] }) {
  const [theme, setTheme] = useState<SnippetTheme>('auto');
  const { origin } = location;
  const coinType = coinOf(project);
  return (
    <Card aria-labelledby="elsewhere" className="grid min-w-0 gap-5">
      <CardTitle id="elsewhere">Show it on your own site</CardTitle>
      <Segmented
        label="Colors of badge and card"
        options={THEMES}
        value={theme}
        onChange={setTheme}
        className="justify-self-start max-[26rem]:flex-wrap max-[26rem]:rounded-2xl"
      />
      <div className="grid gap-x-12 gap-y-6 md:grid-cols-2">
        <section className="grid min-w-0 content-start gap-4">
          <h3 className="font-semibold">Badge</h3>
          <img
            key={theme}
            src={badgePath(project, theme)}
            alt={`The badge of ${isolated(project.name)}`}
            {...BADGE_SIZE}
            className="h-auto max-w-full"
          />
          <CopySnippet label="HTML" action="Copy HTML" text={badgeHtml(project, origin, theme)} />
          <CopySnippet label="Markdown" action="Copy Markdown" text={badgeMarkdown(project, origin, theme)} />
          {coinType === null ? null : (
            <CopySnippet
              label="HTML by coin type"
              action="Copy HTML by coin"
              text={coinBadgeHtml({ name: project.name, coinType }, origin, theme)}
            />
          )}
        </section>
        <section className="grid min-w-0 content-start gap-4">
          <h3 className="font-semibold">Card</h3>
          <iframe
            key={theme}
            src={embedPath(project, theme)}
            sandbox="allow-popups allow-same-origin"
            title={`The card of ${isolated(project.name)}`}
            {...EMBED_SIZE}
            className="max-w-full"
          />
          <CopySnippet label="HTML of the card" action="Copy card" text={embedHtml(project, origin, theme)} />
          <CopySnippet label="Link to share" action="Copy link" text={sharedLink(project, origin)} />
        </section>
      </div>
      <p className="text-sm text-faint">
        Figures on other sites are up to six minutes old. Views by bots, previews, and image proxies are not counted.
      </p>
    </Card>
  );
}
