const jsonForHtml = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** Data in a page: no text of a user ends the element. */
export const jsonScript = (type: string, value: unknown, id?: string): string =>
  `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${jsonForHtml(value)}</script>`;
