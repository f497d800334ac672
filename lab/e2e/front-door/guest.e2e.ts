import { firstScreenJourney, guestJourney } from './guest-journeys.ts';

guestJourney('dark');
firstScreenJourney([
  [1366, 657],
  [1280, 600],
  [844, 390],
  [390, 664],
]);
