/** The operations that a journey needs of a browser, whatever its protocol. */
export interface Browser {
  goto(url: string): Promise<void>;
  /** The value of an expression in the page, or of its promise. */
  evaluate<T>(expression: string): Promise<T>;
  resize(width: number, height: number): Promise<void>;
  /** Mouse down at the first point, along the others, up at the last. */
  mouse(points: ReadonlyArray<{ x: number; y: number }>): Promise<void>;
  /** Keys by their W3C names, such as 'ArrowRight' or 'z', with a pause between them. */
  press(keys: readonly string[], pauseMs?: number): Promise<void>;
  type(text: string): Promise<void>;
  /** Gives a file to the input that the selector names. */
  upload(selector: string, file: string): Promise<void>;
  back(): Promise<void>;
  /** Errors that the console has shown so far. */
  errors(): Promise<string[]>;
  /** A PNG of what the window shows. */
  picture(): Promise<Uint8Array>;
  close(): Promise<void>;
}
