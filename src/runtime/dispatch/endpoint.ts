// Where requests may go. Decided before anything is sent: https anywhere, plain http on loopback only, and one path.
import { describeValue } from "../../base/escape.js";
import { ConfigurationError } from "../../diagnostics/errors.js";

export const DEFAULT_BASE_URL = "https://api.anthropic.com";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

export interface Endpoint {
  /** Without a trailing slash. */
  readonly baseURL: string;
  /** The only URL that is ever called, without its query. */
  readonly messagesURL: URL;
}

function refuse(text: string, why: string): never {
  throw new ConfigurationError("E_CONFIG", `the base URL ${describeValue(text, 200)} ${why}`);
}

/**
 * Judges a base URL.
 * @throws ConfigurationError for anything but https, or http on 127.0.0.1, ::1 or localhost; for a user name, a
 * query or a fragment.
 */
export function requireEndpoint(baseURL: string): Endpoint {
  let url: URL;
  try {
    url = new URL(baseURL);
  } catch {
    return refuse(baseURL, "is no URL: give one such as https://api.anthropic.com");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse(baseURL, "must be https");
  if (url.username !== "" || url.password !== "") {
    // Not shown: it may be a password.
    throw new ConfigurationError("E_CONFIG", "the base URL must hold no user name or password");
  }
  if (url.search !== "" || url.hash !== "") return refuse(baseURL, "must have no query and no fragment");
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) {
    return refuse(
      baseURL,
      "is plain http: use https, since key and screenshots would be readable on the way",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return {
    baseURL: `${url.origin}${path}`,
    messagesURL: new URL(`${url.origin}${path}/v1/messages`),
  };
}
