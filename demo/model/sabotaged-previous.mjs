// The form script, fed a wrong picture: see sabotage.mjs.
import formScript from "./form-script.mjs";
import { withPreviousFrame } from "./sabotage.mjs";

export default withPreviousFrame(formScript);
