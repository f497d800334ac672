import { expect, test } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const made = (changes = {}) =>
  calendarFile({
    id: 'votes-1@example.com',
    title: 'Your votes are back',
    text: 'One; two, three\\four\nfive',
    url: 'https://example.com/',
    startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    nowMs: Date.UTC(2026, 0, 1),
    ...changes,
  });

test('an appointment of a quarter of an hour with a reminder, every line ended as calendars want it', () => {
  const lines = made().split('\r\n');
  expect(lines.at(-1)).toBe('');
  expect(lines).toEqual(
    expect.arrayContaining([
      'BEGIN:VCALENDAR',
      'UID:votes-1@example.com',
      'DTSTAMP:20260101T000000Z',
      'DTSTART:20260102T030405Z',
      'DTEND:20260102T031905Z',
      'SUMMARY:Your votes are back',
      'BEGIN:VALARM',
      'END:VCALENDAR',
    ]),
  );
});

test('characters with a meaning in calendars are escaped', () => {
  expect(made()).toContain('DESCRIPTION:One\\; two\\, three\\\\four\\nfive\r\n');
});

test('a line of more than 75 octets is folded, between characters', () => {
  const title = 'ü'.repeat(60);
  const text = made({ title });
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}\r\n`);
});
