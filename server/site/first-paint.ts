import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { type FirstPaint, type FirstPaintHtml, numberStyle, type RenderFirstPaint } from '#shared/site/first-paint.ts';

export interface Drawn {
  head: string;
  root: string;
}

/** React puts the preloads of rendered pictures before everything else. */
const PRELOADS = /^(?:<link rel="preload"[^>]*>)*/;

/** Null without a build. The function returns null for pages that only the browser draws, and when drawing fails. */
export async function readFirstPaint(
  distDir: string,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<(page: FirstPaint) => Drawn | null> {
  const file = path.join(distDir, '.ssr', 'first-paint.js');
  const built = existsSync(file)
    ? ((await import(pathToFileURL(file).href)) as { renderFirstPaint: RenderFirstPaint })
    : null;
  const render = (page: FirstPaint): FirstPaintHtml | null => {
    try {
      return built?.renderFirstPaint(page) ?? null;
    } catch (error) {
      log.error({ err: error, path: page.path }, 'the first paint failed');
      return null;
    }
  };
  return (page) => {
    const drawn = render(page);
    if (drawn === null) return null;
    const head = PRELOADS.exec(drawn.html)?.[0] ?? '';
    const marks = `data-numbers="${numberStyle()}" data-drawn-for="${page.data.session?.user.id ?? ''}"${drawn.isShell ? ' data-shell' : ''}`;
    return { head, root: `<div id="root" ${marks}>${drawn.html.slice(head.length)}</div>` };
  };
}
