// Notices a model that repeats one input action without any change on screen. Refused actions, looking and waiting
// neither count nor interrupt; an unknown effect is no evidence and starts the count anew.
import { canonicalJson } from "../../base/canonical-json.js";
import { type Action, isInputAction } from "../../contract/actions.js";

/** Identical input actions in a row without a change. */
export const STUCK_AFTER = 8;

export class StuckDetector {
  #last: string | undefined;
  #count = 0;

  /** Takes note of an executed action. Returns true once the run is stuck. */
  executed(action: Action, changed: boolean | undefined): boolean {
    if (!isInputAction(action.name)) return false;
    if (changed !== false) {
      this.#last = undefined;
      this.#count = 0;
      return false;
    }
    const identity = canonicalJson({ name: action.name, input: action.input });
    this.#count = identity === this.#last ? this.#count + 1 : 1;
    this.#last = identity;
    return this.#count >= STUCK_AFTER;
  }
}
