import { expect, test } from 'vitest';
import { announce, announcement } from './announce.ts';

test('announcing the same words twice changes the live region each time', () => {
  const said: string[] = [];
  const stop = announcement.subscribe(() => said.push(announcement.get()));
  for (const words of ['Skipped Hexloom', 'Skipped Hexloom', 'Skipped Hexloom']) announce(words);
  stop();
  expect(said.map((words) => words.trim())).toEqual(['Skipped Hexloom', 'Skipped Hexloom', 'Skipped Hexloom']);
  expect(said[1]).not.toBe(said[0]);
  expect(said[2]).not.toBe(said[1]);
});
