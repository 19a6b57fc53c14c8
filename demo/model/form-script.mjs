// Plays the model for the form agent: `capuchin run … --model script:demo/model/form-script.mjs`. Each reply is a
// function of the request alone: the goal's text, the pictures it holds and its own earlier calls. Every step is
// checked in the picture that followed it; where the picture does not show it, the script gives up.
import { isFilled, isSamePlace, readForm } from "./form-reader.mjs";
import { entriesOfGoal } from "./goal.mjs";
import { decodePicture, postedPngs } from "./picture.mjs";
import { act, callsSoFar, finish, giveUp, LOOK, SETTLE } from "./reply.mjs";

/** @typedef {import("./form-reader.mjs").Form} Form */
/** @typedef {import("./reply.mjs").Reply} Reply */

const MOST_LOOKS = 12;
// Windows may still be moving when they appear: nothing is done before that many pictures show the form in one place.
const STILL = 3;

/** @param {unknown} request @returns {Reply} */
export default function formScript(request) {
  const entries = entriesOfGoal(request);
  if (entries.length === 0) return giveUp("The goal names no field to fill in.");
  const steps = stepsSoFar(request);
  const now = formInPicture(request, 1, entries.length);
  if (now === undefined) return withoutForm(request, steps, entries.length);
  if (steps.acts.length === 0 && !staysInPlace(request, now, entries.length)) {
    return look(request, steps.looks, "There is a form; looking again to see that it stays in its place.");
  }
  return nextStep(request, now, steps, entries);
}

/** @param {unknown} request @param {Form} form @param {{ acts: string[] }} steps
 * @param {import("./goal.mjs").Entry[]} entries @returns {Reply} */
function nextStep(request, form, { acts }, entries) {
  const filled = form.fields.filter(isFilled).length;
  const typed = acts.filter((name) => name === "type").length;
  const inOrder = form.fields.every((field, index) => isFilled(field) === index < filled);
  if (filled !== typed || !inOrder) {
    return giveUp(`I typed into ${typed} fields, but the picture shows writing in ${filled}.`);
  }
  const clicked = acts.at(-1) === "left_click";
  const field = form.fields[filled];
  const entry = entries[filled];
  if (field === undefined || entry === undefined) {
    const button = form.buttons.at(-1);
    if (clicked) return giveUp("I pressed OK, but the picture still shows the form.");
    if (button === undefined)
      return giveUp("All fields are filled, but the picture shows no button below them.");
    return click(request, "All fields are filled; pressing the rightmost button.", button.centre);
  }
  if (!clicked) return click(request, `Clicking field ${filled + 1} for ${entry.name}.`, field.centre);
  if (!field.focused) {
    return giveUp(`I clicked field ${filled + 1}, but the picture does not show the focus in it.`);
  }
  return act(request, `Field ${filled + 1} has the focus; typing ${entry.name}.`, [
    { name: "type", input: { text: entry.value } },
    ...SETTLE,
  ]);
}

/** @param {unknown} request @param {{ acts: string[], looks: number }} steps @param {number} wanted
 * @returns {Reply} */
function withoutForm(request, { acts, looks }, wanted) {
  const typed = acts.filter((name) => name === "type").length;
  if (typed === wanted && acts.at(-1) === "left_click") return finish("The form took the values and closed.");
  if (acts.length > 0) return giveUp("The form is no longer in the picture.");
  return look(request, looks, `The picture shows no form with ${wanted} fields; looking again.`);
}

/** @param {unknown} request @param {number} looks @param {string} text @returns {Reply} */
function look(request, looks, text) {
  return looks >= MOST_LOOKS ? giveUp(`${text} I have looked ${looks} times.`) : act(request, text, LOOK);
}

/** @param {unknown} request @param {string} text @param {import("./form-reader.mjs").Point} at @returns {Reply} */
function click(request, text, { x, y }) {
  return act(request, text, [{ name: "left_click", input: { coordinate: [x, y] } }, ...SETTLE]);
}

/** The form in the newest picture (1), the one before (2), and so on; undefined where that picture shows none with
 * that many fields. @param {unknown} request @param {number} age @param {number} wanted @returns {Form | undefined} */
function formInPicture(request, age, wanted) {
  const png = postedPngs(request).at(-age);
  const form = png === undefined ? undefined : readForm(decodePicture(png));
  return form?.fields.length === wanted ? form : undefined;
}

/** @param {unknown} request @param {Form} now @param {number} wanted */
function staysInPlace(request, now, wanted) {
  const earlier = Array.from({ length: STILL - 1 }, (_, index) => formInPicture(request, index + 2, wanted));
  return earlier.every((form) => form !== undefined && isSamePlace(form, now));
}

/** What was done so far, by the first call of each reply. @param {unknown} request */
function stepsSoFar(request) {
  const first = callsSoFar(request).flatMap((calls) => calls.slice(0, 1));
  const acts = first.filter((name) => name === "left_click" || name === "type");
  return { acts, looks: first.length - acts.length };
}
