import { visitorReportJourney } from './talk-journeys.ts';

visitorReportJourney('dark');
