import { PRODUCT } from '#shared/constants.ts';
import { calendarFile } from '../lib/calendar-file.ts';
import { saveFile } from '../lib/save-file.ts';
import { serverNow } from '../lib/server-clock.ts';

/** Hands the user an appointment for the moment at which votes are back. */
export function saveVotesBack(returnAt: string): void {
  const startMs = Date.parse(returnAt);
  const text = calendarFile({
    id: `votes-${startMs}@${location.host}`,
    title: 'Snapswipe: your votes are back',
    text: 'A new window of votes begins with your next swipe.',
    url: `${location.origin}/`,
    startMs,
    nowMs: serverNow(),
  });
  saveFile(`${PRODUCT}-votes.ics`, new Blob([text], { type: 'text/calendar' }));
}
