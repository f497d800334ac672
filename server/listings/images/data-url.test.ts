import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { readDataUrl } from './data-url.ts';

/** Encoders of platforms and libraries: what each makes of the usual base64. */
const ENCODERS: Record<string, (base64: string) => string> = {
  'the usual base64': (base64) => base64,
  'lines of 76 ending in CRLF (MIME, iOS)': (base64) => base64.replace(/.{76}/g, '$&\r\n'),
  'lines of 64 ending in LF (openssl)': (base64) => `${base64.replace(/.{64}/g, '$&\n')}\n`,
  'escapes of a form': (base64) => encodeURIComponent(base64),
  'lower-case escapes': (base64) => encodeURIComponent(base64).replace(/%../g, (escaped) => escaped.toLowerCase()),
  'escaped line breaks': (base64) => base64.replace(/.{76}/g, '$&%0D%0A'),
  'letters of URLs': (base64) => base64.replaceAll('+', '-').replaceAll('/', '_'),
  'letters of URLs without padding': (base64) => Buffer.from(base64, 'base64').toString('base64url'),
  'spaces, tabs and form feeds around': (base64) => ` \t${base64}\f\n`,
  'a fragment behind': (base64) => `${base64}#xywh=0,0,1,1`,
};
const HEADS = [
  'data:image/png;base64,',
  'DATA:image/PNG;BASE64,',
  ' \ndata:image/png; base64 ,',
  'data:;base64,',
  'data:image/png;name=logo%20of%20a%20reef.png;charset=utf-8;base64,',
  `data:image/png;name=${'long'.repeat(60)}.png;base64,`,
];

test.each(Object.entries(ENCODERS))('reads the bytes of a data URL in %s [R25]', (_, encode) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...HEADS), (bytes, head) => {
      expect(readDataUrl(head + encode(Buffer.from(bytes).toString('base64')))).toEqual(Buffer.from(bytes));
    }),
    runs(),
  );
});

test('reads a data URL without base64 byte by byte [R25]', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, escapesAll) => {
      const text = Array.from(bytes, (byte) =>
        escapesAll || !/\w/.test(String.fromCharCode(byte))
          ? `%${byte.toString(16).padStart(2, '0')}`
          : String.fromCharCode(byte),
      );
      expect(readDataUrl(`data:image/png,${text.join('')}`)).toEqual(Buffer.from(bytes));
    }),
    runs(),
  );
});

test.each(['', 'data:', 'data:image/png;base64', 'https://example.com/a,b.png', '/images/0.webp'])(
  'rejects %j, which is not a data URL [R25]',
  (text) => expect(readDataUrl(text)).toBeNull(),
);

test.each(['%%%%', 'iVBO!Rw0K<Ggo', 'iVBO€Rw0KGgo€', 'iVBO%E2%82%ACRw0K'])(
  'rejects %j, which is not base64 [R25]',
  (text) => expect(readDataUrl(`data:image/png;base64,${text}`)).toBeNull(),
);
