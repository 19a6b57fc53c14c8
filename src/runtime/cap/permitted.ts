// The token between gate and driver. A PermittedAction is minted here only, by the gate, after every check; drivers
// ask `requirePermitted` and refuse any other object, whatever its shape. It can be used once.

import type { DriverAction } from "../../contract/driver-protocol.js";
import { CapuchinError } from "../../diagnostics/errors.js";

declare const permitted: unique symbol;

/** An action that passed the gate. Opaque: only a driver can read its plan, and only once. */
export interface PermittedAction {
  readonly [permitted]: true;
}

const plans = new WeakMap<object, { readonly plan: DriverAction; used: boolean }>();

/** Mints the token. @internal For the gate alone; an architecture test holds the list of callers. */
export function mintPermitted(plan: DriverAction): PermittedAction {
  const token = Object.freeze(Object.create(null)) as PermittedAction;
  plans.set(token, { plan: structuredClone(plan), used: false });
  return token;
}

/**
 * The plan of a genuine, unused token; the token is used up.
 * @throws CapuchinError E_CAP_FORGED for any other object, E_REPLAY for a token used before.
 */
export function requirePermitted(token: PermittedAction): DriverAction {
  const entry = typeof token === "object" && token !== null ? plans.get(token) : undefined;
  if (!entry)
    throw new CapuchinError("E_CAP_FORGED", "the driver takes only actions that this gate has permitted");
  if (entry.used) throw new CapuchinError("E_REPLAY", "this permitted action was already used");
  entry.used = true;
  return entry.plan;
}
