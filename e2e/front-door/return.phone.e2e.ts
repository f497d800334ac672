import { periodJourney } from './period-journeys.ts';
import { returnJourney } from './return-journeys.ts';

returnJourney({ theme: 'light', toTheEnd: false });
periodJourney('dark');
