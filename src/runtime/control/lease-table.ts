// Who may write to which display: one lease at a time, each with a greater epoch than the one before. In memory,
// so it holds within this process; the driver itself refuses a second writer on a display.
import type { Clock } from "../../base/clock.js";
import { randomId } from "../../base/digest.js";
import type { ActionEnvelope, ControlLease } from "../../contract/control.js";
import { CapuchinError } from "../../diagnostics/errors.js";

interface Entry {
  lease: ControlLease | undefined;
  expiresMono: number;
  epoch: number;
}

export class LeaseTable {
  readonly #displays = new Map<string, Entry>();

  /** @throws CapuchinError E_LEASE while another lease of the display is active. */
  acquire(envelope: ActionEnvelope, ttlMs: number, clock: Clock): ControlLease {
    const displayId = envelope.target.displayId;
    const entry = this.#displays.get(displayId) ?? { lease: undefined, expiresMono: 0, epoch: 0 };
    if (entry.lease && entry.expiresMono > clock.monotonic()) {
      throw new CapuchinError("E_LEASE", `the display is held by session ${entry.lease.sessionId}`, {
        retryable: true,
      });
    }
    const acquiredAt = clock.now();
    const lease: ControlLease = {
      leaseId: randomId("lease"),
      epoch: entry.epoch + 1,
      sessionId: envelope.sessionId,
      principalId: envelope.principalId,
      agentId: envelope.agentId,
      displayId,
      executionMode: envelope.requestedMode,
      state: "active",
      acquiredAt,
      expiresAt: new Date(Date.parse(acquiredAt) + ttlMs).toISOString(),
      actionBudget: 1,
      actionsUsed: 0,
    };
    this.#displays.set(displayId, { lease, epoch: lease.epoch, expiresMono: clock.monotonic() + ttlMs });
    return lease;
  }

  /** @throws CapuchinError E_LEASE unless this very lease is the display's newest, active and not used up. */
  use(lease: ControlLease, clock: Clock): void {
    const entry = this.#require(lease);
    if (entry.expiresMono <= clock.monotonic()) throw new CapuchinError("E_LEASE", "the lease has expired");
    const held = entry.lease as ControlLease;
    if (held.actionsUsed >= held.actionBudget)
      throw new CapuchinError("E_LEASE", "the lease's action was used already");
    entry.lease = { ...held, actionsUsed: held.actionsUsed + 1 };
  }

  /** @throws CapuchinError E_LEASE when the lease is not the display's current one. */
  release(lease: ControlLease): void {
    this.#require(lease).lease = undefined;
  }

  /** Takes the display's lease away from a session, if it has it. */
  revoke(displayId: string, sessionId: string): void {
    const entry = this.#displays.get(displayId);
    if (entry?.lease?.sessionId === sessionId) entry.lease = undefined;
  }

  #require(lease: ControlLease): Entry {
    const entry = this.#displays.get(lease.displayId);
    if (!entry?.lease || entry.lease.leaseId !== lease.leaseId || entry.lease.epoch !== lease.epoch) {
      throw new CapuchinError("E_LEASE", "the lease was released, revoked or replaced");
    }
    return entry;
  }
}

/** The leases of this process's displays. A display has one table, or two sessions could both hold it. */
export const processLeases = new LeaseTable();
