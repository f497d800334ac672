import { escapeHtml } from '../site/head.ts';

/** Characters that XML forbids, even escaped: one of them would make the whole badge unreadable. */
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text for HTML and for XML, between tags and in attributes. */
export const escapeMarkup = (text: string): string => escapeHtml(text.toWellFormed().replace(NOT_XML, ''));
