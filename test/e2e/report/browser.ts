// A real browser for the report: Chromium, offline by its own arguments, with every request, dialog, console message
// and page error on record.
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { runCli } from "../../cli/fake-io.js";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Seen {
  /** Every request that is no picture within the page itself. */
  readonly requests: string[];
  readonly dialogs: string[];
  readonly console: string[];
  readonly errors: string[];
}

export interface Opened {
  readonly page: Page;
  readonly seen: Seen;
}

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly script?: boolean;
}

/** One browser for a test file, in a folder of its own that goes with it; each page has its own context. */
export class ReportBrowser {
  readonly #contexts: BrowserContext[] = [];
  #browser: Promise<Browser> | undefined;

  async open(address: string, view: View = {}): Promise<Opened> {
    const { width = 1400, height = 900, scheme = "light", script = true } = view;
    this.#browser ??= chromium.launch({
      executablePath: process.env["CAPUCHIN_CHROMIUM"] ?? "/usr/bin/chromium",
      args: ARGUMENTS,
    });
    const context = await (await this.#browser).newContext({
      viewport: { width, height },
      colorScheme: scheme,
      javaScriptEnabled: script,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    const seen: Seen = { requests: [], dialogs: [], console: [], errors: [] };
    context.on("request", (request) => {
      if (!request.url().startsWith("data:")) seen.requests.push(request.url());
    });
    context.on("page", (other) => seen.requests.push(`window ${other.url()}`));
    page.on("dialog", async (dialog) => {
      seen.dialogs.push(dialog.message());
      await dialog.dismiss();
    });
    page.on("console", (message) => seen.console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => seen.errors.push(error.message));
    await page.goto(address.startsWith("http") ? address : pathToFileURL(address).href);
    return { page, seen };
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.closeAll();
    await (await this.#browser)?.close();
  }
}

/** The page of a trace beside its folder, and how the command ended. */
export async function exported(folder: string, ...flags: string[]) {
  const file = `${folder}-report.html`;
  const ran = await runCli(["trace", "export", folder, "--html", file, ...flags]);
  return { file, ...ran };
}
