export interface Browser {
  goto(url: string): Promise<void>;
  evaluate<T>(expression: string): Promise<T>;
  resize(width: number, height: number): Promise<void>;
  mouse(points: ReadonlyArray<{ x: number; y: number }>): Promise<void>;
  /** Keys by their W3C names, such as 'ArrowRight' or 'z', with a pause between them. */
  press(keys: readonly string[], pauseMs?: number): Promise<void>;
  type(text: string): Promise<void>;
  upload(selector: string, file: string): Promise<void>;
  back(): Promise<void>;
  errors(): Promise<string[]>;
  picture(): Promise<Uint8Array>;
  close(): Promise<void>;
}
