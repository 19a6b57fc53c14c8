// What the note taker can do, one file a step.
export { focusPage } from "./focus-page.js";
export { saveAs } from "./save-as.js";
export { writeLines } from "./write-lines.js";
