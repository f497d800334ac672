import { randomBytes, randomInt } from 'node:crypto';

/**
 * Eight letters and digits for a name that must be unique in the journeys' database. The time is not unique: two workers read the same
 * millisecond.
 */
export const uniqueText = (): string => randomBytes(4).toString('hex');

export const uniqueNumber = (): number => randomInt(1, 2 ** 47);
