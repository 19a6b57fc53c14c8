// All that is seen of the package: its types. What it does with the handle is in code that nobody reads here.
import type { Computer } from "capuchin";

export declare function annotate(api: Computer, note: string): Promise<void>;
