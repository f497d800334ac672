import { deckJourney, WAYS_IN } from './deck-journeys.ts';

deckJourney({ way: WAYS_IN.landing, theme: 'light' });
deckJourney({ way: WAYS_IN.leaderboard, theme: 'dark', size: { width: 320, height: 640 } });
deckJourney({ way: WAYS_IN.project, theme: 'dark' });
