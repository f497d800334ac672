/** The path of a picture on this site, of the whole address that the open API has: a site may be read by another name. */
export const ownPicture = (address: string): string => address.replace(/^https?:\/\/[^/?#]+(?=\/images\/)/, '');
