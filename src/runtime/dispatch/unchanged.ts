// Whether a screen is sent as a picture or in words. In words only when it is to the pixel what the newest picture
// of the conversation shows and that picture is still sent; a picture that was left out is no answer.

/** `text`: a screen that has not changed since the newest picture is answered in words. */
export type UnchangedScreens = "picture" | "text";

export const UNCHANGED_TEXT =
  "Nothing has changed: the screen is exactly as on the newest screenshot you have.";

/** What the newest picture shows, while the calls of one reply are answered. */
export class SeenScreen {
  readonly #words: boolean;
  #newest: string | undefined;

  constructor(mode: UnchangedScreens, newest: string | undefined) {
    this.#words = mode === "text";
    this.#newest = newest;
  }

  /** Whether words do for this frame. If not, its picture is the newest from now on. */
  takesWords(frame: string): boolean {
    if (this.#words && frame === this.#newest) return true;
    this.#newest = frame;
    return false;
  }
}
