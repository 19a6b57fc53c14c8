// The optional package `x11`, loaded on use. It gives connection, authority and request numbering; requests and
// replies are packed here, so that only this much of it is relied on.
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { ConfigurationError } from "../../../diagnostics/errors.js";

/** An X error as the package reports it. */
export interface X11Error extends Error {
  readonly error?: number;
  readonly majorOpcode?: number;
  readonly minorOpcode?: number;
  readonly badParam?: number;
}

export interface X11Reply {
  /** The second byte of the reply. */
  readonly detail: number;
  /** What follows the first eight bytes. */
  readonly body: Buffer;
}

/** A callback answers whether the error was taken care of. */
export type X11Done<T> = (error: X11Error | null | undefined, value?: T) => boolean;

export interface X11Screen {
  readonly root: number;
  readonly root_depth: number;
  readonly pixel_width: number;
  readonly pixel_height: number;
}

export interface X11Display {
  readonly client: X11Client;
  readonly screen: readonly X11Screen[];
  readonly min_keycode: number;
  readonly max_keycode: number;
  readonly image_byte_order: number;
  readonly format: Readonly<
    Record<number, { readonly bits_per_pixel: number; readonly scanline_pad: number }>
  >;
}

export interface X11Client extends EventEmitter {
  importRequestsFromTemplates(target: object, templates: Readonly<Record<string, readonly unknown[]>>): void;
  AllocID(): number;
  terminate(): void;
  readonly stream: { destroy(): void };
}

interface X11Package {
  createClient(
    options: {
      readonly display: string;
      readonly bufferRequests: boolean;
      readonly disableBigRequests: boolean;
      readonly shm: false;
    },
    ready: (error: Error | null | undefined, display?: X11Display) => void,
  ): X11Client;
}

export function loadX11(): X11Package {
  try {
    return createRequire(import.meta.url)("x11") as X11Package;
  } catch (cause) {
    throw new ConfigurationError(
      "E_UNSUPPORTED",
      "the X11 driver needs the optional package x11: install it with `npm install x11`, or use the fake desktop",
      { cause },
    );
  }
}
