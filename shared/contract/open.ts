import { openly } from '../endpoint.ts';
import * as projects from './projects.ts';
import * as record from './record.ts';
import * as reviews from './reviews.ts';
import * as standing from './standing.ts';
import * as supply from './supply.ts';
import * as trends from './trends.ts';

/** Reads of the page that are part of the open API as well (R53); lists made for it are declared beside their subject. */
export const getProject = openly(projects.getProject);
export const listReviews = openly(reviews.listReviews);
export const getProjectTrend = openly(trends.getProjectTrend);
export const getSupply = openly(supply.getSupply);
export const getTrust = openly(standing.getTrust);
export const getRecord = openly(record.getRecord);
export const listCheckpoints = openly(record.listCheckpoints);
