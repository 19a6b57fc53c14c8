// The two spaces of a run's coordinates. The model speaks in pixels of the pictures that it is shown; everything
// behind this file (gate, records, the agent's own calls) in pixels of the declared viewport. Crossed here and nowhere
// else, by floor: what lies beside the picture lies beside the viewport, where the gate refuses it.
import type { Action } from "../../../contract/actions.js";
import {
  type Point,
  type Rect,
  type Size,
  scalePoint,
  scaleRegion,
  unscalePoint,
} from "../../../contract/geometry.js";
import { pictureTierOf } from "../../../contract/models.js";
import type { ParsedAction } from "../../../contract/parse-action.js";
import { FEW_PICTURES, MAX_SIDE, pictureSize } from "../../../contract/picture-size.js";

export interface ModelSpace {
  /** The size of every whole picture of the run. */
  readonly picture: Size;
  readonly viewport: Size;
}

/** The spaces of a run: the same from its first request to its last. `maxImages` is how many pictures one may hold. */
export function modelSpace(viewport: Size, modelId: string, maxImages: number): ModelSpace {
  const maxSide = maxImages > FEW_PICTURES ? MAX_SIDE.many : MAX_SIDE.few;
  return { viewport, picture: pictureSize(viewport, pictureTierOf(modelId), maxSide) };
}

function isSame({ picture, viewport }: ModelSpace): boolean {
  return picture.width === viewport.width && picture.height === viewport.height;
}

/** A number that cannot be scaled exactly is far outside either way, and stays as it was said. */
function exact(scaled: number, said: number): number {
  return Number.isSafeInteger(scaled) ? scaled : said;
}

function pointToViewport(point: Point, { picture, viewport }: ModelSpace): Point {
  const scaled = scalePoint(point, picture, viewport);
  return { x: exact(scaled.x, point.x), y: exact(scaled.y, point.y) };
}

function regionToViewport(region: Rect, { picture, viewport }: ModelSpace): Rect {
  const scaled = scaleRegion(region, picture, viewport);
  return Object.values(scaled).every(Number.isSafeInteger) ? scaled : region;
}

/** What the model asked for, in viewport pixels. */
export function toViewport(parsed: ParsedAction, space: ModelSpace): ParsedAction {
  if (!parsed.ok || isSame(space)) return parsed;
  const { name, input } = parsed.action;
  const scaled: Record<string, unknown> = { ...input };
  if ("coordinate" in input && input.coordinate !== undefined)
    scaled["coordinate"] = pointToViewport(input.coordinate, space);
  if ("start_coordinate" in input)
    scaled["start_coordinate"] = pointToViewport(input.start_coordinate, space);
  if ("region" in input) scaled["region"] = regionToViewport(input.region, space);
  return { ...parsed, action: { name, input: scaled } as Action };
}

/** A viewport point in the model's pixels: the one that it would name to get there. */
export function toPicture(point: Point, { picture, viewport }: ModelSpace): Point {
  return unscalePoint(point, viewport, picture);
}
