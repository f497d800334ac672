const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** Characters that XML forbids, even escaped: one of them would make the whole document unreadable. */
// oxlint-disable-next-line no-control-regex -- these must be removed
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const escapeMarkup = (text: string): string => escapeHtml(text.toWellFormed().replace(NOT_XML, ''));
