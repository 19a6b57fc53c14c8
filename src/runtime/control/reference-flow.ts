// The fixed order of a controlled action, for any runtime: observe → preview → route → reserve → lease → re-check →
// execute once → bind the receipt → verify → release. Whatever was reserved or leased is given back on every path;
// a failed clean-up is reported beside the failure it followed, and never hides it.
import type { Clock } from "../../base/clock.js";
import { ACTIONS } from "../../contract/actions.js";
import type {
  ActionPreview,
  ControlLease,
  ExecutionReceipt,
  TargetReservation,
  VerificationOutcome,
} from "../../contract/control.js";
import { CapuchinError } from "../../diagnostics/errors.js";
import type { Frame } from "./action-port.js";
import type { ComputerUseRuntime, ProposedAction } from "./computer-use-runtime.js";
import {
  requireFresh,
  requireLease,
  requirePreview,
  requireReceipt,
  requireReservation,
} from "./validators.js";

/** How an action went through the flow: stopped before anything was sent, or executed with its receipt. */
export type FlowResult =
  | { readonly status: "blocked"; readonly preview: ActionPreview }
  | {
      readonly status: "executed";
      readonly preview: ActionPreview;
      readonly before: Frame | undefined;
      readonly receipt: ExecutionReceipt;
      readonly verification: VerificationOutcome;
    };

/** Asked when the policy wants a person's word. Only a grant id approves; no approver means no. */
export type ApprovalPort = (preview: ActionPreview, signal?: AbortSignal) => Promise<string | undefined>;

export interface ReferenceFlowOptions {
  readonly clock: Clock;
  readonly sessionId: string;
  readonly approve?: ApprovalPort;
}

export interface ReferenceFlow {
  /** `routed` is awaited once the preview is bound, before anything is reserved, leased or executed. */
  run(
    proposed: ProposedAction,
    signal?: AbortSignal,
    routed?: (preview: ActionPreview) => Promise<void>,
  ): Promise<FlowResult>;
}

type Cleanup = () => Promise<void>;

async function withCleanup<T>(
  work: (later: (name: string, cleanup: Cleanup) => void) => Promise<T>,
): Promise<T> {
  const cleanups: { name: string; cleanup: Cleanup }[] = [];
  const failures: string[] = [];
  let primary: unknown;
  let result: T | undefined;
  try {
    result = await work((name, cleanup) => cleanups.unshift({ name, cleanup }));
  } catch (error) {
    primary = error;
  }
  for (const { name, cleanup } of cleanups) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : "failed"}`);
    }
  }
  if (primary !== undefined) {
    if (failures.length === 0) throw primary;
    const code = primary instanceof CapuchinError ? primary.code : "E_BACKEND";
    const message = primary instanceof Error ? primary.message : "failed";
    throw new CapuchinError(code, `${message}; clean-up also failed: ${failures.join("; ")}`, {
      cause: primary,
    });
  }
  if (failures.length > 0) throw new CapuchinError("E_BACKEND", `clean-up failed: ${failures.join("; ")}`);
  return result as T;
}

async function approvalFor(
  preview: ActionPreview,
  options: ReferenceFlowOptions,
  signal?: AbortSignal,
): Promise<string> {
  const grant = await options.approve?.(preview, signal);
  if (grant === undefined || grant === "") {
    throw new CapuchinError(
      "E_APPROVAL",
      options.approve
        ? "the action was not approved"
        : "the action needs approval, and no approver is attached",
    );
  }
  return grant;
}

/** Builds the flow over a runtime. The runtime's answers are re-checked here, whoever implements it. */
export function buildReferenceGraph(
  runtime: ComputerUseRuntime,
  options: ReferenceFlowOptions,
): ReferenceFlow {
  const { clock, sessionId } = options;
  return {
    run: (proposed, signal, routed) =>
      withCleanup(async (later) => {
        const observes = ACTIONS[proposed.action.name].effect === "observe";
        const [, before] = await Promise.all([
          runtime.discoverCapabilities(signal),
          // Looking changes nothing, so there is nothing to compare it with afterwards.
          observes ? undefined : runtime.observeVisual(signal),
          runtime.observeSemantic(signal),
        ]);
        const bound = before === undefined ? proposed : { ...proposed, screenshotHash: before.digest };
        const preview = await runtime.previewAction(bound, signal);
        requirePreview(preview, proposed, sessionId);
        requireFresh(preview.envelope, clock.now());
        await routed?.(preview);
        const needsApproval = preview.blocker === "approval_required";
        if (!preview.executable && !needsApproval) return { status: "blocked", preview };
        const grant = needsApproval ? await approvalFor(preview, options, signal) : undefined;
        const { envelope } = preview;

        const reservation: TargetReservation | undefined = await runtime.reserveTarget(envelope, signal);
        if (reservation) {
          later("release the target", () => runtime.releaseTarget(reservation));
          requireReservation(reservation, envelope, clock.now());
        }
        const lease: ControlLease = await runtime.acquireLease(envelope, signal);
        later("release the lease", () => runtime.releaseLease(lease));
        requireLease(lease, envelope, clock.now());
        // Again, right before the mutation: approval and lease may have taken their time.
        requireFresh(envelope, clock.now());
        const receipt = await runtime.executeAction(envelope, lease, grant, signal);
        requireReceipt(receipt, envelope, lease);
        const verification = await runtime.verify(receipt, envelope.postcondition, signal);
        return { status: "executed", preview, before, receipt, verification };
      }),
  };
}
