import puppeteer, { type KeyInput } from 'puppeteer-core';
import type { Browser } from './browser.ts';
import { FIREFOX } from '#ops/install/engines.ts';

/** Only what is on this machine may be reached. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'intl.accept_languages': 'en-US',
};

export async function startFirefox(): Promise<Browser> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
    // It asks for a folder of the user, and refuses one of another user.
    env: { ...process.env, HOME: '/tmp' },
  });
  const page = (await firefox.pages())[0] ?? (await firefox.newPage());
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error instanceof Error ? error.message : String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    resize: (width, height) => page.setViewport({ width, height }),
    async mouse([first, ...rest]) {
      if (!first) return;
      await page.mouse.move(first.x, first.y);
      await page.mouse.down();
      for (const { x, y } of rest) await page.mouse.move(x, y);
      await page.mouse.up();
    },
    async press(keys, pauseMs = 0) {
      for (const [index, key] of keys.entries()) {
        if (index > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        await page.keyboard.press(key as KeyInput);
      }
    },
    type: (text) => page.keyboard.type(text),
    async upload(selector, file) {
      const input = await page.$(selector);
      if (!input) throw new Error(`There is no ${selector}`);
      await (input as unknown as { uploadFile(file: string): Promise<void> }).uploadFile(file);
    },
    back: async () => void (await page.evaluate('history.back()')),
    errors: () => Promise.resolve(errors),
    picture: () => page.screenshot(),
    close: () => firefox.close(),
  };
}
