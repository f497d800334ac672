import { returnJourney } from './return-journeys.ts';

returnJourney({ theme: 'dark', toTheEnd: true });
