import { ownersJourney } from './owners-journeys.ts';

ownersJourney('dark');
