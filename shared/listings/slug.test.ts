import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { slugify } from './slug.ts';

test.each([
  ['Café Swap!', 'cafe-swap'],
  ['  --DeFi__9000-- ', 'defi-9000'],
  ['"><script>alert(1)</script>', 'script-alert-1-script'],
  ['Ünïcode Ærø', 'unicode-aero'],
  ['Æther', 'aether'],
  ['Straße', 'strasse'],
  ['Øresund Łódź Đà Þór Œuvre', 'oresund-lodz-da-thor-oeuvre'],
  ['Işık', 'isik'],
  ['Ελλάδα', 'ellada'],
  ['Привет, Щука', 'privet-shchuka'],
  ['火锅', 'huoguo'],
  ['ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
  ['ca\u200dt', 'cat'],
  ['ti\u00adde\u2060pool', 'tidepool'],
  ['Tide🌊Loop 👩🏽‍🚀', 'tide-loop'],
  ['🚀🚀 🇨🇭', ''],
  ['!?…', ''],
])('%s in an address becomes %s [R23]', (name, slug) => {
  expect(slugify(name)).toBe(slug);
});

test('any name becomes ASCII words joined by single hyphens, at most 60 characters, or an empty text [R23]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      expect(slugify(name)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      expect(slugify(name).length).toBeLessThanOrEqual(60);
    }),
    runs(),
  );
});
