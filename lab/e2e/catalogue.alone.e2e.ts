import { catalogueJourney } from './front-door/catalogue-journeys.ts';

catalogueJourney('light');
