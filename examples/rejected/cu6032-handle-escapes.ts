import { computer, computerUse } from "capuchin";

const plugins: { install(host: Record<string, unknown>): void }[] = [];

@computerUse({ cap: "computer.screen" })
export class PluginHost {
  async run(goal: string) {
    // From here on the handle has no type, and nobody can say what a plug-in does with it.
    for (const plugin of plugins) plugin.install({ api: computer, goal });
    return computer.run(this, goal);
  }
}
