import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';
import { sendCached } from '#server/kit/cache/responses.ts';
import type { DrawDocument } from './document.ts';

const SOURCE = new URL('../../../docs/use/record.md', import.meta.url);

/** The page without its heading, which the document has, and without links to other files of the source. */
const prepared = (markdown: string): string =>
  markdown.replace(/^# .*\n/, '').replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');

/** /trust/record: what a verifier has to know, from the site itself (R63). */
export async function mountRecordPage(app: FastifyInstance, drawDocument: DrawDocument): Promise<void> {
  const html = await marked.parse(prepared(await readFile(SOURCE, 'utf8')));
  const response = drawDocument('The public record', html);
  app.get('/trust/record', { compress: false }, (request, reply) => void sendCached(request, reply, response));
}
