// What the drivers declare that they refuse, on an X server with its own (US) keyboard map. The conformance suite tries
// all of it, and everything else.
import type { DriverProfile } from "../../src/runtime/testing/driver-conformance.js";

const NOTHING: DriverProfile = { refusedKeys: [], refusedCharacters: "" };

const KEYS_THAT_END_NUT = [
  ...Array.from({ length: 12 }, (_, n) => `F${13 + n}`),
  ...["Clear", "AudioRandom", "AudioRepeat"],
];

/** nut-js's number keys of the keypad are its arrows and the like while Num Lock is off, which a driver sees to. */
const NUMBERS_OF_THE_KEYPAD = Array.from({ length: 10 }, (_, n) => `KP_${n}`);

export const PROFILES = {
  x11: NOTHING,
  nut: {
    refusedKeys: [
      ...KEYS_THAT_END_NUT,
      ...["Pause", "Menu", "Sys_Req"],
      ...NUMBERS_OF_THE_KEYPAD,
      ...["KP_Tab", "KP_Space", "KP_Delete"],
    ],
    refusedCharacters: "éüßñ€я日😀",
  },
  fake: NOTHING,
} as const satisfies Record<string, DriverProfile>;
