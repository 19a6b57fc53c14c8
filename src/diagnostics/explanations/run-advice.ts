// What to do about each run code: for the person who reads it at the end of a run. A code without advice does not
// compile.
import type { RunCodeName } from "../run-codes.js";

export const RUN_ADVICE: Readonly<Record<RunCodeName, string>> = {
  E_SCHEMA:
    "The reason names the field. A model is told and may correct itself; in a script, correct the call.",
  E_UNKNOWN_TOOL: "Only the computer tool is offered. A model is told; in a script, correct the tool's name.",
  E_UNKNOWN_ACTION: "The reason lists the action. Names are those of the tool version that the model takes.",
  E_GRANT:
    "If the agent may do this, add the word to `cap`, and build again. If not, this is the gate at work.",
  E_BOUNDS:
    "If the agent may act there, widen `bounds`, and build again. Where the pointer is unknown, move it first.",
  E_BOUNDS_FOCUS: "Click into the allowed region first, so that the keyboard goes there.",
  E_KEY_DENIED:
    "If the agent may press it, take it out of `denyKeys`, or name it in `allowKeys`, and build again.",
  E_KEY_UNKNOWN: "Use a name of the key table, such as ctrl+s, Return, Page_Down; numbers are no names.",
  E_KEY_UNSUPPORTED: "Use another key: no driver of this display presses this one faithfully.",
  E_TEXT_DENIED:
    "The reason names the character. Invisible characters are never typed; a line break or tab needs its key allowed.",
  E_TEXT_UNSUPPORTED: "The display's keyboard map has no key for a character: choose another layout or text.",
  E_LIMIT:
    "Split the action. The limits of one action are fixed: text, repeats, scrolling, waiting, holding.",
  E_QUOTA:
    "If the task needs more, raise `maxActions`, `maxEvents`, `maxTokens` or `maxSeconds`, and build again.",
  E_TURNS:
    "If the task needs more, raise `maxTurns` (or --max-turns), and build again. The trace shows what took them.",
  E_STATE:
    "The reason says what is in the way: a held button, a paused or ended run, an error of the agent's own code.",
  E_CAP_FORGED: "Make caps with ComputerCap.builder() or fromSpec() only, and hand on the object itself.",
  E_CAP_FOREIGN:
    "Two copies of capuchin are loaded. Install one: `npm ls capuchin` shows where they come from.",
  E_CAP_WIDEN:
    "A cap can only be narrowed. Declare more in the class, and build again, if the agent may have more.",
  E_REVOKED:
    "The run was stopped from outside; the reason says by what. Start it again if that was not meant.",
  E_SPEC:
    "The reason says what is wrong with the spec, the module or the options. `capuchin build` writes a fresh spec.",
  E_SPEC_DRIFT:
    "The code or its options changed after the build: look at the change, then run `capuchin build`.",
  E_SPEC_SIG: "The spec's digest does not match its content: do not use it; run `capuchin build`.",
  E_LEASE: "Another run drives this display. Wait for its end, or use another display.",
  E_APPROVAL: "Nobody approved the action. Without an approver every action that needs approval is refused.",
  E_REPLAY:
    "The same call was sent twice; it was carried out once at most. Look at the trace before trying again.",
  E_CONFLICT: "Two calls carry one id. In a script, give each call an id of its own.",
  E_STALE: "The screen changed after the model looked. It is told, and looks again.",
  E_INDETERMINATE: "Look at the display: the action may have happened. It is never tried again by itself.",
  E_ENV_DRIFT:
    "Something changed size, keyboard map, locks or modes of the display. Put it back, or use a virtual desktop.",
  E_AUDIT:
    "The trace could not be written or read. Look at the folder: space, rights, what stands in its place.",
  E_BACKEND:
    "The driver or the display failed; the reason has its own words. Is the X server there and its cookie right?",
  E_PROTOCOL:
    "The model's server could not be reached, refused, or sent what is no reply; the reason says which.",
  E_DISPLAY_LOST:
    "The X server ended during the run. Look at the trace for what was done before, then start again.",
  E_STUCK:
    "The same action had no effect many times, or none of the model's calls could be carried out for many turns. The " +
    "trace shows what the model saw and was told; change the goal or the bounds.",
  E_UNSUPPORTED:
    "This version or this platform cannot do it; the reason names what is missing, or what to use instead.",
  E_CONFIG:
    "The reason names the setting: an environment variable, a flag or an option. Correct it, and run again.",
  E_INTERNAL:
    "Run again with CAPUCHIN_DEBUG=1, which shows where it happened, and report it with what it prints.",
};
