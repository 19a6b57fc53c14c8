// A picture as the model gets it: made of a frame, of a size that the server does not scale, its media type that of
// its bytes. The model's coordinates are in its pixels.
import type { Size } from "../../../contract/geometry.js";
import type { MediaType } from "../../../contract/journal-records.js";
import type { Frame } from "../../control/action-port.js";

export interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: MediaType;
  readonly size: Size;
  /** Digest of the frame that it shows. */
  readonly frame: string;
}

/** The frame itself as the picture. */
export function wholePicture(frame: Frame): Picture {
  return { bytes: frame.png, mediaType: "image/png", size: frame.size, frame: frame.digest };
}
