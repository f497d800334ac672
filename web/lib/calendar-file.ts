const MINUTES_SHOWN = 15;
const MAX_LINE_OCTETS = 75;

const escapeText = (text: string): string => text.replace(/[\\;,]/g, (char) => `\\${char}`).replace(/\r?\n/g, '\\n');

/** 20260101T120000Z */
const utc = (timeMs: number): string => new Date(timeMs).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');

/** Lines of more than 75 octets continue on the next one, after a space (RFC 5545, 3.1). */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let [folded, octets] = ['', 0];
  for (const char of line) {
    const size = encoder.encode(char).length;
    if (octets + size > MAX_LINE_OCTETS) [folded, octets] = [`${folded}\r\n `, 1];
    folded += char;
    octets += size;
  }
  return folded;
}

export interface Appointment {
  /** Distinguishes it from all others; the same again replaces it. */
  id: string;
  title: string;
  text: string;
  url: string;
  startMs: number;
  nowMs: number;
}

/** An appointment with a reminder at its start, as calendars take it (RFC 5545). */
export function calendarFile({ id, title, text, url, startMs, nowMs }: Appointment): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Snapswipe//Votes//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(id)}`,
    `DTSTAMP:${utc(nowMs)}`,
    `DTSTART:${utc(startMs)}`,
    `DTEND:${utc(startMs + MINUTES_SHOWN * 60_000)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    `URL:${url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
