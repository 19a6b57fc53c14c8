// What the page's script is told in JSON beside the markup: places, times and the few words that filters know. Short
// names, since there is one object a row. Types only, so that the script's side imports the same.
import type { Mark } from "../model/mark.js";

export interface IslandRow {
  readonly k: "turn" | "action" | "note";
  /** Verdict, action, code; empty where there is none. */
  readonly v: string;
  readonly n: string;
  readonly c: string;
  readonly tone: string;
  /** Begin and end, milliseconds. */
  readonly t: number;
  readonly e: number;
  /** Numbers of the frames before and after; 0 for none. */
  readonly b: number;
  readonly a: number;
  readonly m?: Mark;
}

export interface Island {
  readonly rows: readonly IslandRow[];
  /** By number, from 1 on: index 0 is the first. A frame without a picture has no size and a reason. */
  readonly frames: readonly { readonly w: number; readonly h: number; readonly why: string }[];
  readonly span: { readonly from: number; readonly to: number };
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly bounds?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}
