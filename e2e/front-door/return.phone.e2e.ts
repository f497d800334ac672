import { returnJourney } from './return-journeys.ts';

returnJourney({ theme: 'light', toTheEnd: false });
