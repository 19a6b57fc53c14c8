// The form script, fed a wrong picture: see sabotage.mjs.
import formScript from "./form-script.mjs";
import { withBlackFrame } from "./sabotage.mjs";

export default withBlackFrame(formScript);
