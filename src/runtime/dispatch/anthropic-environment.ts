// The only reader of the environment for the model: the key and the address, from the process's own environment,
// never from a file.
import { ConfigurationError } from "../../diagnostics/errors.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface AnthropicEnvironment {
  readonly apiKey: string;
  readonly baseURL: string | undefined;
}

/**
 * ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL of an environment; empty counts as not set.
 * @throws ConfigurationError when there is no key.
 */
export function readAnthropicEnvironment(environment: Environment): AnthropicEnvironment {
  const apiKey = environment["ANTHROPIC_API_KEY"];
  if (apiKey === undefined || apiKey === "") {
    throw new ConfigurationError(
      "E_CONFIG",
      "ANTHROPIC_API_KEY is not set: set it in the environment, or play a script or a recording (--model script:FILE, replay:DIR)",
    );
  }
  return { apiKey, baseURL: environment["ANTHROPIC_BASE_URL"] || undefined };
}
