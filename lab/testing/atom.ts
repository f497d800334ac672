import { parseXml, type XmlElement } from '@rgrove/parse-xml';
import { expect } from 'vitest';

const ATOM = 'http://www.w3.org/2005/Atom';
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const IRI = /^(?:https?:\/\/[^\s<>"]+|tag:[a-z0-9.-]+,\d{4}(?:-\d\d){0,2}:[^\s<>"]+)$/;

export interface AtomEntry {
  id: string;
  title: string;
  updated: string;
  link: string;
  author: string;
  content: string;
}

const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child): child is XmlElement => 'name' in child && child.name === name);

function only(element: XmlElement, name: string): XmlElement {
  const [child, ...more] = childrenOf(element, name);
  expect(more, `<${element.name}> has one <${name}>`).toEqual([]);
  if (!child) throw new Error(`<${element.name}> has no <${name}>`);
  return child;
}

/** Elements that both feed and entry must have (RFC 4287, 4.1.1 and 4.1.2). */
function checkCommon(element: XmlElement): void {
  expect(only(element, 'id').text).toMatch(IRI);
  expect(only(element, 'title').text).not.toBe('');
  expect(only(element, 'updated').text).toMatch(RFC_3339);
  for (const { attributes } of childrenOf(element, 'link')) expect(attributes['href']).toMatch(IRI);
}

function readEntry(element: XmlElement): AtomEntry {
  checkCommon(element);
  expect(only(element, 'published').text).toMatch(RFC_3339);
  const [link, ...more] = childrenOf(element, 'link').filter(({ attributes }) => attributes['rel'] === 'alternate');
  expect(more).toEqual([]);
  // Without a type a title is text; content always has one.
  expect(only(element, 'title').attributes['type']).toBeUndefined();
  expect(only(element, 'content').attributes['type']).toBe('text');
  expect(only(element, 'category').attributes['term']).not.toBe('');
  return {
    id: only(element, 'id').text,
    title: only(element, 'title').text,
    updated: only(element, 'updated').text,
    link: link?.attributes['href'] ?? '',
    author: only(only(element, 'author'), 'name').text,
    content: only(element, 'content').text,
  };
}

export function readAtom(text: string, selfUrl: string): AtomEntry[] {
  const feed = parseXml(text).root;
  if (!feed) throw new Error('no document element');
  expect([feed.name, feed.attributes['xmlns']]).toEqual(['feed', ATOM]);
  checkCommon(feed);
  const self = childrenOf(feed, 'link').filter(({ attributes }) => attributes['rel'] === 'self');
  expect(self.map(({ attributes }) => attributes['href'])).toEqual([selfUrl]);
  const entries = childrenOf(feed, 'entry').map(readEntry);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(entries.every(({ author }) => author !== '')).toBe(true);
  expect(only(feed, 'updated').text).toBe(entries[0]?.updated ?? '2026-01-01T00:00:00.000Z');
  return entries;
}
