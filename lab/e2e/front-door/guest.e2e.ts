import { countButtonJourney, firstScreenJourney, guestJourney } from './guest-journeys.ts';

guestJourney('dark');
countButtonJourney();
firstScreenJourney([
  [1366, 657],
  [1280, 600],
  [844, 390],
  [390, 664],
]);
