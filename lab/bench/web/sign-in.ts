import { newUser } from '../../testing/client.ts';

/** The cookie ('name=value') of a new user of a running server. */
export const newSessionCookie = async (url: string): Promise<string> => (await newUser({ url })).cookie;
