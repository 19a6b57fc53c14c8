// The environment of a program on a private display: what it needs to show itself in the user's language, and the
// display. Keys, tokens and the user's own desktop session are not passed on.

const PASSED = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE", "TERM"];

const OWN: Readonly<Record<string, string>> = {
  // Nobody serves accessibility or settings on a private display; without these, programs wait for it.
  NO_AT_BRIDGE: "1",
  GSETTINGS_BACKEND: "memory",
  GDK_BACKEND: "x11",
  QT_QPA_PLATFORM: "xcb",
  GTK_USE_PORTAL: "0",
};

export function appEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  display: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && (PASSED.includes(name) || name.startsWith("LC_"))) env[name] = value;
  }
  // A program in the C locale shows no character beyond ASCII.
  if (!env["LC_ALL"] && !env["LC_CTYPE"] && !env["LANG"]) env["LANG"] = "C.UTF-8";
  return { ...env, ...OWN, ...more, ...display };
}
