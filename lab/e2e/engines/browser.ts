/** The operations that a journey needs of a browser, whatever its protocol. */
export interface Browser {
  goto(url: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  resize(width: number, height: number): Promise<void>;
  /** Mouse down at the first point, along the others, up at the last. */
  mouse(points: ReadonlyArray<{ x: number; y: number }>): Promise<void>;
  /** A key by its W3C name, such as 'ArrowRight' or 'z'; several characters are typed one after the other. */
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Gives a file to the input that the selector names. */
  upload(selector: string, file: string): Promise<void>;
  back(): Promise<void>;
  /** Errors that the console has shown so far. */
  errors(): Promise<string[]>;
  close(): Promise<void>;
}
