import { deckJourney, WAYS_IN } from './deck-journeys.ts';

deckJourney({ way: WAYS_IN.landing, theme: 'dark' });
deckJourney({ way: WAYS_IN.leaderboard, theme: 'light' });
deckJourney({ way: WAYS_IN.project, theme: 'light' });
