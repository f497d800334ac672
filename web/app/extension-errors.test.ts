import { afterEach, beforeEach, describe, expect, vi, test } from 'vitest';
import { suppressExtensionErrors, isExtensionError } from './extension-errors.ts';

function thrown(message: string, stack: string): Error {
  const error = new TypeError(message);
  error.stack = stack;
  return error;
}

const CHROME = 'chrome-extension://opcgpfmipidbgpenhmajoajpbobppdil/inject.js';
const OURS = 'https://snapswipe.test/assets/index-a1b2c3.js';
const redefine = 'Cannot redefine property: ethereum';

test.each([
  [
    'Chrome',
    thrown(redefine, `TypeError: ${redefine}\n    at Object.defineProperty (<anonymous>)\n    at r (${CHROME}:1:9)`),
  ],
  [
    'Firefox',
    thrown(redefine, 'inject@moz-extension://8a1d-44/content.js:4:11\n@moz-extension://8a1d-44/content.js:9:2\n'),
  ],
  ['Safari', thrown(redefine, 'inject@safari-web-extension://8A1D/content.js:4:11')],
])('an error of an extension that redefines a property is suppressed in %s [R35]', (_browser, error) => {
  expect(isExtensionError({ error })).toBe(true);
});

test('a script error that only names a file of an extension is suppressed [S8.22]', () => {
  expect(isExtensionError({ filename: CHROME, error: null })).toBe(true);
  expect(isExtensionError({ filename: CHROME, error: 'a text' })).toBe(true);
});

test.each([
  ['ours', { error: thrown(redefine, `TypeError: ${redefine}\n    at r (${OURS}:1:9)`) }],
  [
    'ours, called by an extension',
    { error: thrown('x', `TypeError: x\n    at r (${OURS}:1:9)\n    at w (${CHROME}:1:9)`) },
  ],
  ['ours, naming an extension', { error: thrown(`no ${CHROME}`, `TypeError: no ${CHROME}\n    at r (${OURS}:1:9)`) }],
  ['ours, in a file', { filename: OURS, error: null }],
  ['a wallet rejection that passes through our code', { error: new Error('wallet extension: rejected') }],
  ['no error at all', { error: undefined }],
  ['an unknown file', { filename: '', error: null }],
])('an error is always reported that is %s [R35]', (_case, reported) => {
  expect(isExtensionError(reported)).toBe(false);
});

describe('suppressExtensionErrors', () => {
  const heard: Array<[string, (event: Event) => void]> = [];
  beforeEach(() => {
    heard.length = 0;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    vi.stubGlobal('addEventListener', (name: string, listener: (event: Event) => void) => heard.push([name, listener]));
    vi.stubGlobal('document', { querySelectorAll: () => [] });
    suppressExtensionErrors();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each([
    ['error', { filename: CHROME, error: null }, { filename: OURS, error: null }],
    [
      'unhandledrejection',
      { reason: thrown('x', `TypeError: x\n    at r (${CHROME}:1:9)`) },
      { reason: thrown('x', `TypeError: x\n    at r (${OURS}:1:9)`) },
    ],
  ])('an %s of an extension is kept from all listeners, and ours reaches them [S8.22]', (name, theirs, ours) => {
    const listen = heard.find(([heardName]) => heardName === name)?.[1];
    const held = (fields: object) => {
      const calls: string[] = [];
      const note = (call: string) => () => void calls.push(call);
      const event = { ...fields, preventDefault: note('prevent'), stopImmediatePropagation: note('stop') };
      listen?.(event as unknown as Event);
      return calls;
    };
    expect(held(theirs)).toEqual(['prevent', 'stop']);
    expect(held(ours)).toEqual([]);
  });
});
