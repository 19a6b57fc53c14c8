// The nut driver proper: nut-js sends the events and takes the pictures; what it cannot know is asked of its
// surroundings. It runs in a process of its own, since nut-js can end that process at any call.
import { Buffer } from "node:buffer";
import type { DriverAction, DriverResult, Released } from "../../../contract/driver-protocol.js";
import type { Size } from "../../../contract/geometry.js";
import { withEvents } from "../gestures/failed-after.js";
import { isInput, performInput } from "../gestures/perform-input.js";
import type { OpenedDriver } from "../session/driver-process.js";
import { NutHand } from "./nut-hand.js";
import { NutInput } from "./nut-input.js";
import type { NutImage, NutPackage } from "./nut-package.js";
import { agreeOnScale, pictureOf, type Scale } from "./nut-picture.js";
import type { Surroundings } from "./surroundings.js";

export class NutDriver implements OpenedDriver {
  readonly #nut: NutPackage;
  readonly #around: Surroundings;
  readonly #scale: Scale;
  readonly #input: NutInput;

  private constructor(nut: NutPackage, around: Surroundings, scale: Scale, platform: string) {
    this.#nut = nut;
    this.#around = around;
    this.#scale = scale;
    this.#input = new NutInput(nut, scale.size, platform);
  }

  /** @param declared the display's size, when the caller declared it */
  static async open(
    nut: NutPackage,
    around: Surroundings,
    { platform, declared }: { readonly platform: string; readonly declared?: Size | undefined },
  ): Promise<NutDriver> {
    const image = await nut.providerRegistry.getScreen().grabScreen();
    return new NutDriver(nut, around, agreeOnScale(image, around.size, declared), platform);
  }

  get size(): Size {
    return this.#scale.size;
  }

  get serverId(): string {
    return this.#around.serverId;
  }

  get released(): Released {
    return this.#around.released;
  }

  get lost(): Promise<string> {
    return this.#around.lost;
  }

  async perform(
    action: DriverAction,
    signal: AbortSignal,
    announce: (events: number) => void,
  ): Promise<DriverResult> {
    const input = isInput(action) ? action : undefined;
    await this.#around.requirePossible(action);
    if (!input) {
      if (action.kind === "cursor") return { kind: "cursor", at: await this.#around.pointer() };
      const image: NutImage = await this.#nut.providerRegistry.getScreen().grabScreen();
      const region = action.kind === "capture" ? action.region : undefined;
      const { png, size } = await pictureOf(image, this.#scale, region);
      return { kind: "frame", png: Buffer.from(png).toString("base64"), size };
    }
    const hand = new NutHand({ input: this.#input, around: this.#around }, signal, announce);
    try {
      await performInput(hand, input);
      return { kind: "delivered", events: hand.sent, pointer: await this.#around.pointer() };
    } catch (error) {
      throw withEvents(error, hand.sent);
    }
  }

  settle(quietMs: number, maxMs: number, signal: AbortSignal) {
    return this.#around.settle(quietMs, maxMs, signal);
  }

  releaseAll(): Promise<Released> {
    return this.#around.releaseAll();
  }
}
