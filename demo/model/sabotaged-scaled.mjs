// The form script, fed a wrong picture: see sabotage.mjs.
import formScript from "./form-script.mjs";
import { withScaledFrame } from "./sabotage.mjs";

export default withScaledFrame(formScript);
