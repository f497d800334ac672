// @vitest-environment happy-dom
/** The line at each step at which a user agrees to the terms. */
import { expect, test } from 'vitest';
import { setSite } from '../../lib/site.ts';
import { SITE } from '../../testing/made-up.ts';
import { draw, useTestPage } from '../../testing/screen.tsx';
import { TermsLine } from './terms-line.tsx';

useTestPage();

test.each([
  [null, [], 'By signing in you agree to the terms (opens in a new tab).'],
  [
    18,
    [],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are at least 18 years old.',
  ],
  [
    null,
    ['Cuba', 'Iran', 'North Korea'],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are not in, nor a resident of, Cuba, Iran, or North Korea.',
  ],
  [
    21,
    ['Cuba'],
    'By signing in you agree to the terms (opens in a new tab). You confirm that you are at least 21 years old and not in, nor a resident of, Cuba.',
  ],
])('says what the site asks for: age %s, without %j [R80]', (minAge, excludedRegions, words) => {
  setSite({ ...SITE, minAge, excludedRegions });
  const { container } = draw(
    <p>
      <TermsLine doing="signing in" />
    </p>,
  );
  expect(container.querySelector('p')?.textContent).toBe(words);
  expect(container.querySelector('a')?.getAttribute('href')).toBe('/terms');
});
