import { expect, test } from 'vitest';
import { badgeHtml, badgeMarkdown, embedHtml, sharedLink } from './snippets.ts';

const ORIGIN = 'https://snapswipe.test';
const PROJECT = { slug: 'tide-pool', name: 'Tide <b>"&" [pool](x)' };

test('snippets link to the project page with their source, and escape the name [R52]', () => {
  expect(badgeHtml(PROJECT, ORIGIN, 'dark')).toBe(
    '<a href="https://snapswipe.test/projects/tide-pool?from=badge"><img src="https://snapswipe.test/badge/tide-pool.svg?theme=dark" ' +
      'alt="Tide &lt;b&gt;&quot;&amp;&quot; [pool](x) on Snapswipe" width="360" height="72"></a>',
  );
  expect(badgeMarkdown(PROJECT, ORIGIN, 'auto')).toBe(
    '[![Tide &lt;b&gt;&quot;&amp;&quot; \\[pool\\]\\(x\\) on Snapswipe](https://snapswipe.test/badge/tide-pool.svg)](https://snapswipe.test/projects/tide-pool?from=badge)',
  );
  expect(embedHtml(PROJECT, ORIGIN, 'light')).toBe(
    '<iframe src="https://snapswipe.test/embed/tide-pool?theme=light" title="Tide &lt;b&gt;&quot;&amp;&quot; [pool](x) on Snapswipe" ' +
      'width="360" height="260" loading="lazy" style="border:0;border-radius:12px"></iframe>',
  );
});

test('a shared link carries its source [R50]', () =>
  expect(sharedLink(PROJECT, ORIGIN)).toBe('https://snapswipe.test/projects/tide-pool?from=link'));
