// Measurements to run by hand, alone on the machine.
import config from "../../playwright.config";

const [apps] = config.projects ?? [];
export default { ...config, testDir: ".", workers: 1, projects: [{ ...apps, testMatch: "**/*.bench.ts" }] };
