// The only reader of the environment for the model: the key and the address, from the process's own environment,
// never from a file.
import { ConfigurationError } from "../../diagnostics/errors.js";
import { type AnthropicOptions, anthropic } from "./anthropic.js";
import type { ModelPort } from "./model-port.js";

/**
 * The model with ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL of the given environment.
 * @throws ConfigurationError when there is no key, or the address may not be used.
 */
export function anthropicFromEnvironment(
  options: Omit<AnthropicOptions, "apiKey" | "baseURL"> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ModelPort {
  const apiKey = environment["ANTHROPIC_API_KEY"];
  const baseURL = environment["ANTHROPIC_BASE_URL"];
  if (apiKey === undefined || apiKey === "") {
    throw new ConfigurationError(
      "E_STATE",
      "ANTHROPIC_API_KEY is not set: set it, or choose --model script:FILE or replay:DIR",
    );
  }
  return anthropic({ ...options, apiKey, ...(baseURL === undefined || baseURL === "" ? {} : { baseURL }) });
}
