// Somebody took the decorator off to try something. A check that finds no agent proves nothing, and says so.
import { computer } from "capuchin";

export class Operator {
  readonly api: typeof computer = computer;
}
